package io.feedline.formats.lmdb;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbPairsTest extends DatasetContract<ImagePair> {

  @TempDir Path folder;

  @Override
  protected Dataset<ImagePair> dataset() throws IOException {
    Databases.unpack("basicsr_low", folder);
    Databases.unpack("basicsr_high", folder);
    return open(2);
  }

  private LmdbDataset.Pairs open(int scale) throws IOException {
    return LmdbDataset.pairs(
        folder.resolve("basicsr_low.lmdb"), folder.resolve("basicsr_high.lmdb"), scale);
  }

  @Test
  void shouldPairEqualKeys() throws IOException {
    try (LmdbDataset.Pairs pairs = open(2)) {
      assertThat(pairs.size()).isEqualTo(3);
      assertThat(pairs.get(2).low().height()).isEqualTo(7);
      assertThat(pairs.get(2).high().width()).isEqualTo(10);
      assertThat(pairs.describe(2)).contains("basicsr_low").contains("basicsr_high");
    }
  }

  @Test
  void shouldNameBothWhereTheirSizesDoNotFit() throws IOException {
    try (LmdbDataset.Pairs pairs = open(4)) {
      assertThatThrownBy(() -> pairs.get(0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("basicsr_low", "basicsr_high", "key 0001_s001", "scale 4");
    }
  }

  @Test
  void shouldRefuseKeysThatDiffer() throws IOException {
    Path other = folder.resolve("other.lmdb");
    try (StoreWriter<EncodedImage> writer = Databases.writer(other, List.of(), 3)) {
      for (int i = 0; i < 3; i++) {
        writer.write(new EncodedImage("k" + i, Databases.image("jpeg_1x1.jpg"), 0));
      }
      writer.commit();
    }
    try (LmdbDataset.Pairs pairs =
        LmdbDataset.pairs(folder.resolve("basicsr_low.lmdb"), other, 2)) {
      refused(IOException.class, () -> pairs.get(0), "'0001_s001'", "'k0'", "no pair");
    }
  }

  @Test
  void shouldRefuseDifferentNumbersOfImagesAndCloseBoth() throws IOException {
    Path other = folder.resolve("other.lmdb");
    FixtureFiles.write(Databases.writer(other, List.of(), 0), List.of());

    Path low = folder.resolve("basicsr_low.lmdb");
    refused(IOException.class, () -> LmdbDataset.pairs(low, other, 2), "3 images", "has 0");
    assertThatThrownBy(() -> open(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefuseToReadAfterClosing() throws IOException {
    LmdbDataset.Pairs pairs = open(2);
    pairs.close();
    pairs.close();

    assertThatThrownBy(() -> pairs.get(0)).isInstanceOf(IllegalStateException.class);
  }
}
