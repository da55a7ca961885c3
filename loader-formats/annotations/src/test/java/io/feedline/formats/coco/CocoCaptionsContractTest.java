package io.feedline.formats.coco;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class CocoCaptionsContractTest extends DatasetContract<CocoDataset.Captions> {

  @TempDir private Path directory;

  @Override
  protected Dataset<CocoDataset.Captions> dataset() throws IOException {
    CocoFixture.copy(directory);
    return CocoDataset.captions(directory.resolve("images"), directory.resolve("captions.json"));
  }
}
