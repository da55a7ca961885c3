package io.feedline.formats.mds;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MdsImagesTest extends DatasetContract<LabeledImage> {

  @TempDir Path root;

  /** Room for one of three inflated shards: eight threads take them from each other. */
  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    return MdsDataset.builder(Fixtures.copy("gz", root))
        .cacheBytes(1)
        .verifyChecksums(true)
        .images()
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zstd"})
  void shouldReadCompressedShards(String compression) throws Exception {
    Path directory = Fixtures.copy(compression, root);
    List<String> kinds = List.of("jpeg_420.jpg", "jpeg_grey.jpg", "jpeg_1x1.jpg");
    try (ImageDataset images =
        MdsDataset.builder(directory).verifyChecksums(true).images().build()) {
      assertThat(images.size()).isEqualTo(5);
      assertThat(images.store().shardSizes()).as("two in each").containsExactly(2, 2, 1);
      for (int i = 4; i >= 0; i--) {
        EncodedImage image = images.encoded(i);
        assertThat(image.bytes()).isEqualTo(Fixtures.image(kinds.get(i % 3)));
        assertThat(image.label()).isEqualTo(i % 2);
        assertThat(image.key()).isEqualTo(Integer.toString(i));
      }
    }
    assertThat(directory.resolve("shard.00001.mds")).as("as streaming leaves it").exists();
  }

  @Test
  void shouldInflateToWhereItIsTold() throws Exception {
    Path directory = Fixtures.copy("zstd", root);
    Path cache = root.resolve("a/cache");
    try (ImageDataset images = MdsDataset.builder(directory).cache(cache).images().build()) {
      assertThat(images.encoded(0).label()).isZero();
    }
    assertThat(cache.resolve("shard.00000.mds")).exists();
    assertThat(directory.resolve("shard.00000.mds")).doesNotExist();
    // Shards may be private; so is their cache.
    assertThat(permissions(cache)).isEqualTo("rwx------");
    assertThat(permissions(cache.resolve("shard.00000.mds"))).isEqualTo("rw-------");
    // Once inflated, the compressed file's content is not needed.
    Path zip = directory.resolve("shard.00000.mds.zstd");
    Files.write(zip, new byte[(int) Files.size(zip)]);
    try (ImageDataset images = MdsDataset.builder(directory).cache(cache).images().build()) {
      assertThat(images.encoded(0).label()).isZero();
    }
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void shouldKeepNoMoreInflatedThanItIsAllowed() throws Exception {
    Path directory = Fixtures.copy("gz", root.resolve("bounded"));
    long largest =
        MdsIndex.read(directory).shards().stream().mapToLong(s -> s.raw().bytes()).max().orElse(0);
    try (ImageDataset images = MdsDataset.builder(directory).cacheBytes(largest).images().build()) {
      for (int i = 0; i < 15; i++) {
        assertThat(images.encoded(i * 2 % 5).label()).isEqualTo(i * 2 % 5 % 2);
        try (var files = Files.list(directory)) {
          assertThat(files.filter(file -> file.toString().endsWith(".mds"))).hasSize(1);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zstd"})
  void shouldNoticeACompressedShardThatIsDamaged(String compression) throws Exception {
    Path directory = Fixtures.copy(compression, root.resolve("damaged"));
    Path zip = directory.resolve("shard.00000.mds." + compression);
    byte[] bytes = Files.readAllBytes(zip);
    for (int at = 0; at < bytes.length; at += 37) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 0x3C;
      Files.write(zip, damaged);
      try (ImageDataset images =
          MdsDataset.builder(directory).verifyChecksums(true).images().build()) {
        refused(FormatException.class, () -> images.encoded(0), zip.toString());
        assertThat(images.encoded(2).label()).isZero();
      }
      Files.write(zip, Arrays.copyOf(bytes, at));
      try (ImageDataset images = MdsDataset.images(directory).build()) {
        assertThatThrownBy(() -> images.encoded(0)).hasMessageContaining("truncated");
      }
    }
    try (var files = Files.list(directory)) {
      assertThat(files.map(Path::toString)).noneMatch(name -> name.endsWith(".partial"));
    }
    Files.delete(zip);
    try (ImageDataset images = MdsDataset.images(directory).build()) {
      assertThatThrownBy(() -> images.encoded(0)).hasMessageContaining("no such file");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zstd"})
  void shouldStopInflatingWhereTheIndexSaysItEnds(String compression) throws Exception {
    Path directory = Fixtures.copy(compression, root.resolve("bomb"));
    byte[] bomb = new ShardCompression(compression, 3).deflate(List.of(new byte[10 << 20]));
    Files.write(directory.resolve("shard.00000.mds." + compression), bomb);
    MdsShard first = MdsIndex.read(directory).shards().get(0);
    String index = Files.readString(directory.resolve("index.json"));
    Files.writeString(
        directory.resolve("index.json"),
        index.replace("\"bytes\": " + first.zip().bytes(), "\"bytes\": " + bomb.length));

    try (ImageDataset images = MdsDataset.images(directory).build()) {
      assertThatThrownBy(() -> images.encoded(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("larger than the " + first.raw().bytes() + " bytes");
    }
  }

  @ParameterizedTest
  @CsvSource({"br,not supported", "bz2:9,not supported", "snappy,not supported", "lzo,unknown"})
  void shouldNameACompressionThatIsNotSupported(String compression, String reason)
      throws Exception {
    Path directory = Fixtures.copy("gz", root.resolve("other"));
    Path index = directory.resolve("index.json");
    Files.writeString(
        index, Files.readString(index).replace("\"gz:6\"", "\"" + compression + "\""));

    assertThatThrownBy(() -> MdsDataset.images(directory).build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("index.json", compression.split(":", 2)[0], reason);
  }

  /** A missing choice of a column is not the caller's mistake. */
  @Test
  void shouldRefuseAStoreWithoutTheUsualColumns() throws Exception {
    Path directory = Fixtures.copy("gz", root);
    Path index = directory.resolve("index.json");
    Files.writeString(index, Files.readString(index).replace("\"class\"", "\"klass\""));

    assertThatThrownBy(() -> MdsDataset.images(directory).build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(directory.toString(), "'label'", "labelField", "klass=uint8");
  }

  @Test
  void shouldSayWhichColumnItLooksFor() throws Exception {
    Path directory = Fixtures.copy("gz", root);

    assertThat(MdsDataset.images(directory).withoutLabels().build().encoded(1).label())
        .isEqualTo(EncodedImage.NO_LABEL);
    assertThatThrownBy(() -> MdsDataset.images(directory).labelField("y").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'y'", "labelField", "class=uint8");
    assertThatThrownBy(() -> MdsDataset.images(directory).imageField("class").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("imageField");
  }

  @Test
  void shouldOpenWhatItRecognizesWithColumnsFromOptions() throws Exception {
    Path directory = root.resolve("named");
    Map<String, String> columns = Map.of("a", "jpeg", "b", "png", "n", "str", "c", "int32");
    byte[] png = Fixtures.image("png_1x1.png");
    FixtureFiles.write(
        MdsDataset.writer(directory).columns(columns).open(),
        List.of(Map.of("a", Fixtures.image("jpeg_1x1.jpg"), "b", png, "n", "name", "c", 4)));
    StoreFormat format = new MdsFormat();
    StoreOptions options =
        StoreOptions.NONE.with("image-field", "b").with("label-field", "c").with("key-field", "n");
    for (Path path : List.of(directory, directory.resolve("index.json"))) {
      assertThat(format.recognizes(path)).isTrue();
      try (ImageStore store = format.open(path, options)) {
        assertThat(store.read(0))
            .usingRecursiveComparison()
            .isEqualTo(new EncodedImage("name", png, 4));
        assertThat(store.path(0)).isEqualTo(directory.resolve("shard.00000.mds"));
      }
    }
    try (ImageStore store = format.open(directory, options.with("label-field", ""))) {
      assertThat(store.label(0)).isEqualTo(EncodedImage.NO_LABEL);
    }
    assertThatThrownBy(() -> format.open(directory, options.with("key-field", "c")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'c'", "keyField(...)");
    assertThat(format.recognizes(root)).isFalse();
  }

  @Test
  void shouldRefuseAClassThatIsNone() throws Exception {
    Path directory = root.resolve("classes");
    try (StoreWriter<Map<String, Object>> writer =
        MdsDataset.writer(directory).columns(Map.of("x", "jpeg", "y", "int64")).open()) {
      for (long label : new long[] {-1, -2, 1L << 31}) {
        writer.write(Map.of("x", Fixtures.image("jpeg_1x1.jpg"), "y", label));
      }
      writer.commit();
    }
    try (ImageDataset images = MdsDataset.images(directory).build()) {
      assertThat(images.encoded(0).label()).isEqualTo(EncodedImage.NO_LABEL);
      assertThatThrownBy(() -> images.encoded(1)).hasMessageContainingAll("sample 1", "'y'", "-2");
      assertThatThrownBy(() -> images.encoded(2)).hasMessageContaining("2147483648");
    }
  }

  @Test
  void shouldSayOfWhatEncodingLabelsAreThatAreNoWholeNumbers() throws Exception {
    Path directory = root.resolve("fractions");
    FixtureFiles.write(
        MdsDataset.writer(directory).columns(Map.of("image", "jpeg", "label", "float32")).open(),
        List.of(Map.of("image", Fixtures.image("jpeg_1x1.jpg"), "label", 1f)));
    assertThatThrownBy(() -> MdsDataset.images(directory).build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(directory.toString(), "column 'label' of encoding float32");
  }

  private static final List<String> CLASSES = List.of("a", "b", "c");

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

  private static Path writeAll(Path directory, String... options) throws IOException {
    FixtureFiles.write(open(directory, options), images());
    return directory;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gz", "gz:1", "zstd", "zstd:19"})
  void shouldBeReadAsItWasWritten(String compression) throws Exception {
    String[] options =
        compression.isEmpty()
            ? new String[] {"hashes", "sha1,md5"}
            : new String[] {"hashes", "sha1,md5", "compression", compression};
    Path data = writeAll(root.resolve("data"), options);

    try (ImageDataset read = MdsDataset.builder(data).verifyChecksums(true).images().build()) {
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

    refused(IOException.class, () -> writeAll(data), "shard.00000.mds", "missing", "restart");
  }

  /** One of ImageNet's files is a PNG, whatever its name says. */
  @Test
  void shouldHoldImagesOfAllKindsUnlessItIsToldOtherwise() throws Exception {
    EncodedImage png = new EncodedImage("n02105855_2933", Fixtures.image("png_1x1.png"), 0, "JPEG");
    EncodedImage jpeg = images().get(0);
    Path data = root.resolve("data");
    FixtureFiles.write(open(data), List.of(jpeg, png));
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
    refused(IllegalArgumentException.class, () -> open(root.resolve("data"), name, value), message);
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
    FixtureFiles.write(open(data), List.of());
    try (ImageStore store = new MdsFormat().open(data, StoreOptions.NONE)) {
      assertThat(store.size()).isZero();
      assertThat(store.classes()).isEqualTo(CLASSES);
    }
  }
}
