package io.feedline.formats.coco;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class CocoKeyPointsContractTest extends DatasetContract<CocoKeyPoints.Sample> {

  @TempDir private Path directory;

  @Override
  protected Dataset<CocoKeyPoints.Sample> dataset() throws IOException {
    CocoFixture.copy(directory);
    return CocoKeyPoints.of(directory.resolve("images"), directory.resolve("keypoints.json"));
  }
}
