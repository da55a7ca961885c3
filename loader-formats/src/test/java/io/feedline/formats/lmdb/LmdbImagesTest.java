package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Dataset;
import io.feedline.DatasetContract;
import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.LabeledImage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbImagesTest extends DatasetContract<LabeledImage> {

  @TempDir Path folder;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    return LmdbImages.of(Databases.ofPictures(folder.resolve("x.lmdb")));
  }

  private LmdbImages open() throws IOException {
    return LmdbImages.of(folder.resolve("x.lmdb"));
  }

  @Test
  void shouldGiveWhatWasWritten() throws IOException {
    try (LmdbImages images = open()) {
      assertThat(images.layout()).isEqualTo(LmdbLayout.FEEDLINE_PICTURES);
      assertThat(images.classes()).containsExactly("cat", "dog");
      assertThat(images.size()).isEqualTo(3);
      for (int i = 0; i < 3; i++) {
        EncodedImage image = images.encoded(i);
        assertThat(image.key()).isEqualTo("folder/" + i);
        assertThat(image.label()).isEqualTo(i % 2);
        assertThat(image.bytes()).isEqualTo(Databases.image(Databases.PICTURES.get(i)));
      }
      assertThat(images.get(1).image().width()).isEqualTo(35);
    }
  }

  @Test
  void shouldKeepSamplesBeyondItsClosing() throws IOException {
    LmdbImages images = open();
    LabeledImage sample = images.get(0);
    images.close();

    assertThat(sample.image().pixels().rgb()).isNotEmpty();
  }

  @Test
  void shouldDescribeASampleByFileAndKey() throws IOException {
    try (LmdbImages images = open()) {
      assertThat(images.describe(2)).endsWith("x.lmdb/data.mdb, key 2");
      assertThat(images.describe(3)).isEqualTo("index 3");
      assertThat(images.name()).contains("x.lmdb");
    }
  }

  @Test
  void shouldHaveTheSameFingerprintForACopyOnly() throws IOException {
    Path copy = Databases.ofPictures(folder.resolve("copy.lmdb"));
    Path other = Databases.unpack("caffe", folder);
    try (LmdbImages first = open();
        LmdbImages second = LmdbImages.of(copy);
        LmdbImages third = LmdbImages.of(other)) {
      assertThat(first.fingerprint())
          .isEqualTo(second.fingerprint())
          .isNotEqualTo(third.fingerprint());
    }
  }

  @Test
  void shouldRefuseTensors() throws Exception {
    Path tensors = Databases.unpack("feedline_tensors", folder);

    assertThat(LmdbLayout.detect(tensors)).isEqualTo(LmdbLayout.FEEDLINE_TENSORS);
    assertThatThrownBy(() -> LmdbImages.of(tensors))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds tensors, not images");
    assertThatThrownBy(() -> LmdbTensors.of(folder.resolve("x.lmdb")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds images, not tensors");
    assertThat(SharedDatabase.openCount()).as("but for the contract's").isEqualTo(1);
  }
}
