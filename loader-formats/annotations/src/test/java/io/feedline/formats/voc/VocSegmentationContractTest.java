package io.feedline.formats.voc;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class VocSegmentationContractTest extends DatasetContract<VocDataset.Segmentation> {

  @TempDir private Path directory;

  @Override
  protected Dataset<VocDataset.Segmentation> dataset() throws IOException {
    return VocDataset.segmentation(VocFixture.copy(directory), "trainval");
  }
}
