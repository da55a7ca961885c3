package io.feedline.formats.voc;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class VocDetectionContractTest extends DatasetContract<VocDetection.Sample> {

  @TempDir private Path directory;

  @Override
  protected Dataset<VocDetection.Sample> dataset() throws IOException {
    return VocDetection.of(VocFixture.copy(directory), "trainval");
  }
}
