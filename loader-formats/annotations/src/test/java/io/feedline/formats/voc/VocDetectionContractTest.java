package io.feedline.formats.voc;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class VocDetectionContractTest extends DatasetContract<VocDataset.Detection> {

  @TempDir private Path directory;

  @Override
  protected Dataset<VocDataset.Detection> dataset() throws IOException {
    return VocDataset.detection(VocFixture.copy(directory), "trainval");
  }
}
