package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Dataset;
import io.feedline.DatasetContract;
import io.feedline.formats.image.EncodedPicture;
import io.feedline.formats.image.LabeledImage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbPicturesTest extends DatasetContract<LabeledImage> {

  @TempDir Path folder;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    return LmdbPictures.of(Databases.ofPictures(folder.resolve("x.lmdb")));
  }

  private LmdbPictures open() throws IOException {
    return LmdbPictures.of(folder.resolve("x.lmdb"));
  }

  @Test
  void shouldGiveWhatWasWritten() throws IOException {
    try (LmdbPictures pictures = open()) {
      assertThat(pictures.layout()).isEqualTo(LmdbLayout.FEEDLINE_PICTURES);
      assertThat(pictures.classes()).containsExactly("cat", "dog");
      assertThat(pictures.size()).isEqualTo(3);
      for (int i = 0; i < 3; i++) {
        EncodedPicture picture = pictures.encoded(i);
        assertThat(picture.key()).isEqualTo("folder/" + i);
        assertThat(picture.label()).isEqualTo(i % 2);
        assertThat(picture.bytes()).isEqualTo(Databases.picture(Databases.PICTURES.get(i)));
      }
      assertThat(pictures.get(1).image().width()).isEqualTo(35);
    }
  }

  @Test
  void shouldKeepSamplesBeyondItsClosing() throws IOException {
    LmdbPictures pictures = open();
    LabeledImage sample = pictures.get(0);
    pictures.close();

    assertThat(sample.image().pixels().rgb()).isNotEmpty();
  }

  @Test
  void shouldDescribeASampleByFileAndKey() throws IOException {
    try (LmdbPictures pictures = open()) {
      assertThat(pictures.describe(2)).endsWith("x.lmdb/data.mdb, key 2");
      assertThat(pictures.describe(3)).isEqualTo("index 3");
      assertThat(pictures.name()).contains("x.lmdb");
    }
  }

  @Test
  void shouldHaveTheSameFingerprintForACopyOnly() throws IOException {
    Path copy = Databases.ofPictures(folder.resolve("copy.lmdb"));
    Path other = Databases.unpack("caffe", folder);
    try (LmdbPictures first = open();
        LmdbPictures second = LmdbPictures.of(copy);
        LmdbPictures third = LmdbPictures.of(other)) {
      assertThat(first.fingerprint())
          .isEqualTo(second.fingerprint())
          .isNotEqualTo(third.fingerprint());
    }
  }

  @Test
  void shouldRefuseTensors() throws Exception {
    Path tensors = Databases.unpack("feedline_tensors", folder);

    assertThat(LmdbLayout.detect(tensors)).isEqualTo(LmdbLayout.FEEDLINE_TENSORS);
    assertThatThrownBy(() -> LmdbPictures.of(tensors))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds tensors, not pictures");
    assertThatThrownBy(() -> LmdbTensors.of(folder.resolve("x.lmdb")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds pictures, not tensors");
    assertThat(SharedDatabase.openCount()).as("but for the contract's").isEqualTo(1);
  }
}
