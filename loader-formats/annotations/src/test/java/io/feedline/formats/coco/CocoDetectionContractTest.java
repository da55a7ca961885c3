package io.feedline.formats.coco;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class CocoDetectionContractTest extends DatasetContract<CocoDetection.Sample> {

  @TempDir private Path directory;

  @Override
  protected Dataset<CocoDetection.Sample> dataset() throws IOException {
    CocoFixture.copy(directory);
    return CocoDetection.of(directory.resolve("images"), directory.resolve("instances.json"));
  }
}
