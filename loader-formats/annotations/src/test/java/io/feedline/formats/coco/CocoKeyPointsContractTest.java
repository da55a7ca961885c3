package io.feedline.formats.coco;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class CocoKeyPointsContractTest extends DatasetContract<CocoDataset.People> {

  @TempDir private Path directory;

  @Override
  protected Dataset<CocoDataset.People> dataset() throws IOException {
    CocoFixture.copy(directory);
    return CocoDataset.keyPoints(directory.resolve("images"), directory.resolve("keypoints.json"));
  }
}
