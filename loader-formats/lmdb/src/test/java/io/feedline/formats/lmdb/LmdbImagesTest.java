package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbImagesTest extends DatasetContract<LabeledImage> {

  @TempDir Path folder;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    return LmdbDataset.images(Databases.ofPictures(folder.resolve("x.lmdb")));
  }

  private ImageDataset open() throws IOException {
    return LmdbDataset.images(folder.resolve("x.lmdb"));
  }

  @Test
  void shouldGiveWhatWasWritten() throws Exception {
    try (ImageDataset images = open()) {
      assertThat(LmdbLayout.detect(folder.resolve("x.lmdb"))).isEqualTo(LmdbLayout.FEEDLINE_IMAGES);
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
  void shouldKeepSamplesBeyondItsClosing() throws Exception {
    ImageDataset images = open();
    LabeledImage sample = images.get(0);
    images.close();

    assertThat(sample.image().pixels().rgb()).isNotEmpty();
  }

  @Test
  void shouldDescribeASampleByFileAndKey() throws IOException {
    try (ImageDataset images = open()) {
      assertThat(images.describe(2)).endsWith("x.lmdb/data.mdb, key 2");
      assertThat(images.describe(3)).isEqualTo("index 3");
      assertThat(images.name()).contains("x.lmdb");
    }
  }

  @Test
  void shouldHaveTheSameFingerprintForACopyOnly() throws IOException {
    Path copy = Databases.ofPictures(folder.resolve("copy.lmdb"));
    Path other = Databases.unpack("caffe", folder);
    try (ImageDataset first = open();
        ImageDataset second = LmdbDataset.images(copy);
        ImageDataset third = LmdbDataset.images(other)) {
      assertThat(first.fingerprint())
          .isEqualTo(second.fingerprint())
          .isNotEqualTo(third.fingerprint());
    }
  }

  @Test
  void shouldRefuseTensors() throws Exception {
    Path tensors = Databases.unpack("feedline_tensors", folder);

    assertThat(LmdbLayout.detect(tensors)).isEqualTo(LmdbLayout.FEEDLINE_TENSORS);
    assertThatThrownBy(() -> LmdbDataset.images(tensors))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds tensors, not images");
    assertThatThrownBy(() -> LmdbTensors.of(folder.resolve("x.lmdb")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds images, not tensors");
  }

  @Test
  void shouldHaveTheSameFingerprintInEachLanguage() throws IOException {
    Locale before = Locale.getDefault();
    try (ImageDataset images = open()) {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(images.fingerprint()).isEqualTo("LmdbDataset.images:FEEDLINE_IMAGES:3:4:1:0");
    } finally {
      Locale.setDefault(before);
    }
    Path caffe = Databases.unpack("caffe", folder);
    try (ImageDataset images = LmdbDataset.images(caffe)) {
      assertThat(images.fingerprint()).startsWith("LmdbDataset.images:CAFFE:3:3:");
    }
  }

  @Test
  void shouldRecognizeDirectoriesAndFiles() throws IOException {
    StoreFormat format = new LmdbFormat();
    byte[] database = Content.fixture("folder2lmdb.mdb");
    Path directory = folder.resolve("x.lmdb");

    assertThat(StoreFormat.of(directory).name()).isEqualTo("lmdb");
    assertThat(format.recognizes(directory)).isTrue();
    assertThat(format.recognizes(directory.resolve("data.mdb"))).isTrue();
    for (String name : new String[] {"train.lmdb", "train.mdb"}) {
      Path file = Files.write(folder.resolve(name), database);
      assertThat(format.recognizes(file)).isTrue();
      try (ImageDataset images = ImageDataset.open(file)) {
        assertThat(images.size()).isEqualTo(3);
      }
    }
    assertThat(format.recognizes(Files.write(folder.resolve("x.bin"), database))).isFalse();
    assertThat(format.recognizes(Files.write(folder.resolve("other.mdb"), new byte[99]))).isFalse();
    assertThat(format.recognizes(Files.write(folder.resolve("empty.mdb"), new byte[0]))).isFalse();
    assertThat(format.recognizes(folder)).isFalse();
    assertThat(format.recognizes(folder.resolve("nowhere.lmdb"))).isFalse();
  }

  @Test
  void shouldRefuseOptionsThatItDoesNotHave() {
    StoreOptions options = StoreOptions.NONE.with("column", "1");
    assertThatThrownBy(() -> new LmdbFormat().open(folder.resolve("x.lmdb"), options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("lmdb", "column");
    Packing packing = Packing.of(List.of(), 1);
    assertThatThrownBy(
            () -> new LmdbFormat().create(folder.resolve("y"), packing.withOptions(options)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("lmdb", "column");
    assertThatThrownBy(() -> new LmdbFormat().create(folder.resolve("y"), packing.withShards(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lmdb has no shards: leave out shards (--shards), which is 2");
    assertThatThrownBy(
            () -> new LmdbFormat().create(folder.resolve("y"), packing.withShardBytes(4000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lmdb has no shards: leave out shardBytes (--shard-size), which is 4000");
  }

  @Test
  void shouldSayThatADatabaseMustBeLocal() throws Exception {
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path there = Files.createDirectories(files.getPath("/x.lmdb"));
      Files.copy(folder.resolve("x.lmdb/data.mdb"), there.resolve("data.mdb"));

      assertThat(StoreFormat.of(there).name()).isEqualTo("lmdb");
      assertThatThrownBy(() -> ImageDataset.open(there))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(
              there.toUri().toString(), "'jimfs'", "maps its file", "Copy the database", "convert");
    }
  }
}
