package io.feedline.formats.voc;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class VocSegmentationContractTest extends DatasetContract<VocSegmentation.Sample> {

  @TempDir private Path directory;

  @Override
  protected Dataset<VocSegmentation.Sample> dataset() throws IOException {
    return VocSegmentation.of(VocFixture.copy(directory), "trainval");
  }
}
