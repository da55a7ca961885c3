package io.feedline.formats.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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

  private static ImageStoreWriter open(Path directory, String... options) throws IOException {
    return new MdsFormat()
        .create(
            directory, Packing.of(CLASSES, 9).withShardBytes(3000).withOptions(options(options)));
  }

  private static Path writeRest(Path directory, String... options) throws IOException {
    try (ImageStoreWriter writer = open(directory, options)) {
      List<EncodedImage> images = images();
      for (EncodedImage image : images.subList((int) writer.written(), images.size())) {
        writer.write(image);
      }
      assertThat(writer.written()).isEqualTo(images.size());
      writer.commit();
    }
    return directory;
  }

  private static Map<String, String> files(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (var paths = Files.list(directory)) {
      for (Path path : paths.toList()) {
        files.put(path.getFileName().toString(), Fixtures.crc(Files.readAllBytes(path)));
      }
    }
    return files;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gz", "gz:1", "zstd", "zstd:19"})
  void shouldBeReadAsItWasWritten(String compression) throws Exception {
    String[] options =
        compression.isEmpty()
            ? new String[] {"hashes", "sha1,md5"}
            : new String[] {"hashes", "sha1,md5", "compression", compression};
    Path data = writeRest(root.resolve("data"), options);

    try (ImageDataset read = MdsImages.builder(data).verifyChecksums(true).build()) {
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

  @ParameterizedTest
  @ValueSource(strings = {"", "gz"})
  void shouldWriteTheSameFilesWhereverItWasInterrupted(String compression) throws Exception {
    String[] options =
        compression.isEmpty() ? new String[0] : new String[] {"compression", compression};
    Path whole = writeRest(root.resolve("whole"), options);
    for (int written = 0; written <= 9; written++) {
      Path steps = root.resolve("steps" + written);
      for (int stop : new int[] {written / 2, written}) {
        try (ImageStoreWriter writer = open(steps, options)) {
          for (EncodedImage image : images().subList((int) writer.written(), stop)) {
            writer.write(image);
          }
        }
        assertThat(steps).doesNotExist();
      }

      writeRest(steps, options);

      assertThat(files(steps)).as("after %d", written).isEqualTo(files(whole));
    }
  }

  @Test
  void shouldRefuseToGoOnWithoutItsShards() throws Exception {
    Path data = root.resolve("data");
    try (ImageStoreWriter writer = open(data)) {
      for (EncodedImage image : images()) {
        writer.write(image);
      }
    }
    Files.delete(root.resolve("data.partial/shard.00000.mds"));

    assertThatThrownBy(() -> writeRest(data))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("shard.00000.mds", "missing", "restart");
  }

  @Test
  void shouldWriteTheSameFilesWhateverDigitsTheDefaultLocaleHas() throws Exception {
    Path whole = writeRest(root.resolve("whole"));
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      Path arabic = writeRest(root.resolve("arabic"));
      assertThat(files(arabic)).isEqualTo(files(whole)).containsKey("shard.00001.mds");
      try (ImageDataset read = MdsImages.of(arabic)) {
        assertThat(read.fingerprint()).matches("MdsDataset:9:[0-9a-f]{8}");
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  /** One of ImageNet's files is a PNG, whatever its name says. */
  @Test
  void shouldHoldImagesOfAllKindsUnlessItIsToldOtherwise() throws Exception {
    EncodedImage png = new EncodedImage("n02105855_2933", Fixtures.image("png_1x1.png"), 0, "JPEG");
    EncodedImage jpeg = images().get(0);
    Path data = root.resolve("data");
    try (ImageStoreWriter writer = open(data)) {
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

    try (ImageStoreWriter writer = open(root.resolve("jpeg"), "image-encoding", "jpeg")) {
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

  @Test
  void shouldOpenWhatWasPackedAsJpegs() throws Exception {
    Path data = root.resolve("data");
    Map<String, String> columns = Map.of("image", "jpeg", "key", "str", "label", "int");
    EncodedImage image = images().get(1);
    try (StoreWriter<Map<String, Object>> writer =
        MdsWriter.builder(data).columns(columns).open()) {
      writer.write(Map.of("image", image.bytes(), "key", image.key(), "label", 1L));
      writer.commit();
    }
    try (ImageDataset images = ImageDataset.open(data)) {
      assertThat(images.encoded(0)).usingRecursiveComparison().isEqualTo(image);
    }
  }

  @Test
  void shouldRefuseALabelThatHasNoClass() throws Exception {
    try (ImageStoreWriter writer = open(root.resolve("data"))) {
      assertThatThrownBy(() -> writer.write(new EncodedImage("k", images().get(0).bytes(), 3)))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("image k has label 3, but there are 3 classes");
    }
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
  void shouldRefuseANumberOfShards() {
    Packing packing = Packing.of(CLASSES, 9).withShards(2);

    assertThatThrownBy(() -> new MdsFormat().create(root.resolve("data"), packing))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "mds cuts its shards by size: give shardBytes (--shard-size) instead of shards"
                + " (--shards), which is 2");
  }

  @Test
  void shouldRefuseAShardThatIsTooLargeForMemory() {
    Packing packing = Packing.of(CLASSES, 9).withShardBytes(1L << 32);

    assertThatThrownBy(() -> new MdsFormat().create(root.resolve("data"), packing))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "mds puts a shard together in memory: shardBytes (--shard-size) must be at most"
                + " 2147483583, was 4294967296");
    assertThat(root.resolve("data.partial")).doesNotExist();
  }

  @Test
  void shouldWriteAnEmptyDataset() throws Exception {
    Path data = root.resolve("data");
    try (ImageStoreWriter writer = open(data)) {
      writer.commit();
    }
    try (ImageStore store = new MdsFormat().open(data, StoreOptions.NONE)) {
      assertThat(store.size()).isZero();
      assertThat(store.classes()).isEqualTo(CLASSES);
    }
  }
}
