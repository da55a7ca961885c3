package io.feedline.formats.coco;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class CocoInstancesContractTest extends DatasetContract<CocoInstances.Sample> {

  @TempDir private Path directory;

  @Override
  protected Dataset<CocoInstances.Sample> dataset() throws IOException {
    CocoFixture.copy(directory);
    return CocoInstances.of(directory.resolve("images"), directory.resolve("instances.json"));
  }
}
