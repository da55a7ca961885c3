package io.feedline.formats.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MdsImageWriterTest {

  private static final List<String> CLASSES = List.of("a", "b", "c");

  @TempDir Path root;

  private static List<EncodedImage> images() throws IOException {
    List<EncodedImage> images = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      byte[] jpeg = Fixtures.image(i == 4 ? "jpeg_420.jpg" : "jpeg_1x1.jpg");
      images.add(new EncodedImage("gr\u00fcn/" + i, jpeg, i == 8 ? -1 : i % 3));
    }
    return images;
  }

  private static StoreOptions options(String... namesAndValues) {
    StoreOptions options = StoreOptions.NONE;
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options = options.with(namesAndValues[i], namesAndValues[i + 1]);
    }
    return options;
  }

  private static StoreWriter<EncodedImage> open(Path directory, String... options)
      throws IOException {
    return new MdsFormat()
        .create(
            directory, Packing.of(CLASSES, 9).withShardBytes(3000).withOptions(options(options)));
  }

  private static Path writeRest(Path directory, String... options) throws IOException {
    try (StoreWriter<EncodedImage> writer = open(directory, options)) {
      List<EncodedImage> images = images();
      for (EncodedImage image : images.subList((int) writer.written(), images.size())) {
        writer.write(image);
      }
      assertThat(writer.written()).isEqualTo(images.size());
      writer.commit();
    }
    return directory;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gz", "gz:1", "zstd", "zstd:19"})
  void shouldBeReadAsItWasWritten(String compression) throws Exception {
    String[] options =
        compression.isEmpty()
            ? new String[] {"hashes", "sha1,md5"}
            : new String[] {"hashes", "sha1,md5", "compression", compression};
    Path data = writeRest(root.resolve("data"), options);

    try (ImageDataset read = MdsDataset.images(data).verifyChecksums(true).build()) {
      assertThat(read.size()).isEqualTo(9);
      assertThat(read.classes()).isEqualTo(CLASSES);
      for (int i = 0; i < 9; i++) {
        assertThat(read.encoded(i)).usingRecursiveComparison().isEqualTo(images().get(i));
      }
    }
    List<MdsShard> shards = MdsIndex.read(data).shards();
    assertThat(shards).hasSizeGreaterThan(2);
    assertThat(shards.get(0).raw().bytes()).isLessThanOrEqualTo(3000);
    assertThat(shards.get(0).raw().hashes()).containsOnlyKeys("md5", "sha1");
  }

  @Test
  void shouldRefuseToGoOnWithoutItsShards() throws Exception {
    Path data = root.resolve("data");
    try (StoreWriter<EncodedImage> writer = open(data)) {
      for (EncodedImage image : images()) {
        writer.write(image);
      }
    }
    Files.delete(root.resolve("data.partial/shard.00000.mds"));

    assertThatThrownBy(() -> writeRest(data))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("shard.00000.mds", "missing", "restart");
  }

  /** One of ImageNet's files is a PNG, whatever its name says. */
  @Test
  void shouldHoldImagesOfAllKindsUnlessItIsToldOtherwise() throws Exception {
    EncodedImage png = new EncodedImage("n02105855_2933", Fixtures.image("png_1x1.png"), 0, "JPEG");
    EncodedImage jpeg = images().get(0);
    Path data = root.resolve("data");
    try (StoreWriter<EncodedImage> writer = open(data)) {
      writer.write(jpeg);
      writer.write(png);
      writer.commit();
    }
    try (ImageDataset images = ImageDataset.open(data)) {
      assertThat(images.get(0).image().width()).isEqualTo(1);
      assertThat(images.get(1).image().width()).isEqualTo(1);
      assertThat(images.encoded(1).key()).isEqualTo("n02105855_2933");
    }
    assertThat(MdsIndex.columns(MdsIndex.read(data).shards())).containsEntry("image", "bytes");

    try (StoreWriter<EncodedImage> writer = open(root.resolve("jpeg"), "image-encoding", "jpeg")) {
      writer.write(jpeg);
      assertThatThrownBy(() -> writer.write(png))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("sample 1", "n02105855_2933", "PNG", "image-encoding=bytes");
      assertThat(writer.written()).isEqualTo(1);
      writer.commit();
    }
    assertThat(MdsIndex.columns(MdsIndex.read(root.resolve("jpeg")).shards()))
        .containsEntry("image", "jpeg");
  }

  @ParameterizedTest
  @CsvSource({
    "hashes, xxh64, xxh64",
    "compression, br, br",
    "compression, gz:10, 9",
    "image-encoding, webp, 'bytes, jpeg or png'",
    "label-field, y, label-field"
  })
  void shouldRefuseOptionsThatCannotBe(String name, String value, String message) {
    assertThatThrownBy(() -> open(root.resolve("data"), name, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
    assertThat(root.resolve("data.partial")).doesNotExist();
  }

  @Test
  void shouldRefuseANumberOfShardsAndAShardThatIsTooLargeForMemory() {
    Packing packing = Packing.of(CLASSES, 9);
    assertThatThrownBy(() -> new MdsFormat().create(root.resolve("data"), packing.withShards(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("shardBytes (--shard-size) instead", "which is 2");
    assertThatThrownBy(
            () -> new MdsFormat().create(root.resolve("data"), packing.withShardBytes(1L << 32)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be at most 2147483583, was 4294967296");
    assertThat(root.resolve("data.partial")).doesNotExist();
  }

  @Test
  void shouldWriteAnEmptyDataset() throws Exception {
    Path data = root.resolve("data");
    try (StoreWriter<EncodedImage> writer = open(data)) {
      writer.commit();
    }
    try (ImageStore store = new MdsFormat().open(data, StoreOptions.NONE)) {
      assertThat(store.size()).isZero();
      assertThat(store.classes()).isEqualTo(CLASSES);
    }
  }
}
