package io.feedline.formats.coco;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class CocoInstancesContractTest extends DatasetContract<CocoDataset.Instances> {

  @TempDir private Path directory;

  @Override
  protected Dataset<CocoDataset.Instances> dataset() throws IOException {
    CocoFixture.copy(directory);
    return CocoDataset.instances(directory.resolve("images"), directory.resolve("instances.json"));
  }
}
