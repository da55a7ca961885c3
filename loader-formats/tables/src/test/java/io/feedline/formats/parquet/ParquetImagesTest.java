package io.feedline.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.WithoutJars;
import io.feedline.sampler.Sampler.Order;
import io.feedline.sampler.ShardedSampler;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The behavior of Parquet alone; the contract of all stores runs elsewhere. */
class ParquetImagesTest {

  private static final String[] SPLIT = {
    "split/train-00000-of-00002.parquet", "split/train-00001-of-00002.parquet"
  };

  @TempDir private Path directory;

  private Path fixture(String... names) throws IOException {
    return FixtureFiles.copy(getClass(), directory, names);
  }

  /** Labels and checksums of a file's images, as the script has noted them. */
  private static List<String> noted(String name) {
    return FixtureFiles.lines(ParquetImagesTest.class, "values.txt").stream()
        .filter(line -> line.startsWith(name + ","))
        .map(line -> line.substring(name.length() + 1))
        .toList();
  }

  private static List<String> read(ImageDataset images) throws IOException {
    List<String> read = new ArrayList<>();
    for (long i = 0; i < images.size(); i++) {
      EncodedImage image = images.encoded(i);
      assertThat(images.label(i)).isEqualTo(image.label());
      read.add(image.label() + "," + FixtureFiles.crc(image.bytes()));
    }
    return read;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "snappy",
        "zstd",
        "gzip",
        "lz4",
        "none",
        "v2_snappy",
        "v2_none",
        "checksums",
        "page_index",
        "pages",
        "deltas",
        "repeated",
        "prefixes",
      })
  void shouldReadWhatPyarrowWrote(String name) throws IOException {
    try (ImageDataset images = ParquetImages.of(fixture(name + ".parquet"))) {
      assertThat(read(images)).isEqualTo(noted(name + ".parquet")).isNotEmpty();
      assertThat(images.classes()).containsExactly("ant", "bee", "cat");
      assertThat(images.get(1).image().width()).isEqualTo(18);
      images.store().checkStructure();
    }
  }

  @Test
  void shouldTakeTheFilesOfASplitForOneDataset() throws IOException {
    fixture(SPLIT);
    List<String> expected = new ArrayList<>(noted(SPLIT[0]));
    expected.addAll(noted(SPLIT[1]));
    for (String path : List.of("split", "split/train-*.parquet")) {
      try (ImageDataset images = ParquetImages.of(directory.resolve(path))) {
        assertThat(read(images)).isEqualTo(expected).hasSize(12);
        assertThat(images.store().shardSizes()).containsExactly(4, 2, 4, 2);
        assertThat(images.describe(9))
            .isEqualTo(directory.resolve(SPLIT[1]) + ", row group 0, row 3");
      }
    }
    assertThat(StoreFormat.of(directory.resolve("split/train-*.parquet")).name())
        .isEqualTo("parquet");
  }

  @Test
  void shouldNotMixTheSplitsOfADirectory() throws IOException {
    fixture(SPLIT);
    fixture("split/test-00000-of-00001.parquet");
    Path split = directory.resolve("split");

    assertThatThrownBy(() -> ParquetImages.of(split))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("several splits", "[test, train]", "test-*.parquet");
    try (ImageDataset images = ParquetImages.of(split.resolve("test-00000-of-00001.parquet"))) {
      assertThat(images.labels()).containsExactly(2);
    }
  }

  @Test
  void shouldMissAFileOfASplit() throws IOException {
    Path first = fixture(SPLIT[0]);
    Path pattern = first.resolveSibling("train-*");

    assertThatThrownBy(() -> ParquetImages.of(pattern))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("1 of 2 shards are missing: [1]");
    try (ImageDataset images = ParquetImages.builder(pattern).allowMissingShards(true).build()) {
      assertThat(images.size()).isEqualTo(6);
    }
  }

  @Test
  void shouldReadNullsAsWhatTheyMean() throws IOException {
    try (ImageDataset images = ParquetImages.of(fixture("nulls.parquet"))) {
      assertThat(images.labels()).containsExactly(0, 1, 2, -1, -1);
      assertThat(FixtureFiles.crc(images.encoded(3).bytes()))
          .isEqualTo(noted("nulls.parquet").get(3).split(",", -1)[1]);
      for (int index : new int[] {1, 2}) {
        assertThatThrownBy(() -> images.encoded(index))
            .isInstanceOf(FormatException.class)
            .hasMessageContainingAll(
                "nulls.parquet, row group 0, row " + index, "image.bytes is null", "elsewhere");
      }
    }
  }

  @Test
  void shouldFindColumnsByTheirUsualNames() throws IOException {
    Path file = fixture("flat.parquet");
    try (ImageDataset images = ParquetImages.of(file)) {
      assertThat(read(images)).isEqualTo(noted("flat.parquet"));
      assertThat(images.classes()).isEmpty();
    }
    try (ImageStore store =
        StoreFormat.of(file).open(file, StoreOptions.of(Map.of("label-field", "")))) {
      assertThat(store.label(0)).isEqualTo(EncodedImage.NO_LABEL);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"image-field=score", "image-field=caption", "label-field=jpg"})
  void shouldRefuseColumnsOfAnotherType(String option) throws IOException {
    Path file = fixture("flat.parquet");
    String[] parts = option.split("=", -1);
    StoreOptions options = StoreOptions.of(Map.of(parts[0], parts[1]));

    assertThatThrownBy(() -> StoreFormat.named("parquet").open(file, options))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("flat.parquet", parts[1]);
  }

  /** A label of -1 everywhere would train without a word. */
  @ParameterizedTest
  @CsvSource({
    "floats, label (DOUBLE)",
    "bools, label (BOOLEAN)",
    "decimals, label (INT32 DECIMAL)",
    "dates, label (INT32 DATE)",
    "times, label (INT64)",
    "lists, 'label.list.element (INT64, repeated)'",
  })
  void shouldRefuseLabelsThatAreNeitherWholeNumbersNorTexts(String name, String column)
      throws IOException {
    Path file = fixture("labels/" + name + ".parquet");
    for (ParquetImages.Builder builder :
        List.of(
            ParquetImages.builder(file),
            ParquetImages.builder(file).labelField(column.replaceFirst(" .*", "")))) {
      assertThatThrownBy(builder::build)
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(
              file.toString(), column, "whole numbers or texts", "label-field");
    }
    try (ImageDataset images = ParquetImages.builder(file).withoutLabels().build()) {
      assertThat(images.labels()).containsExactly(-1, -1);
    }
  }

  /** As the directories of a folder of images are. */
  @ParameterizedTest
  @ValueSource(strings = {"texts", "dictionary", "mixed"})
  void shouldMakeClassesOfTexts(String name) throws IOException {
    Path file = fixture("labels/" + name + ".parquet");
    try (ImageDataset images = ImageDataset.open(file)) {
      assertThat(images.classes()).containsExactly("ant", "bee");
      assertThat(images.labels()).containsExactly(0, 1);
      assertThat(images.encoded(1).label()).isEqualTo(1);
    }
    try (ImageDataset images = ParquetImages.builder(file).classes(List.of("bee", "ant")).build()) {
      assertThat(images.labels()).containsExactly(1, 0);
    }
    assertThatThrownBy(() -> ParquetImages.builder(file).classes(List.of("bee")).build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("column label", "'ant'", "[bee]");
  }

  @Test
  void shouldMakeClassesOfTheTextsOfAllFiles() throws IOException {
    Path first = fixture("classes/train-00000-of-00002.parquet");
    fixture("classes/train-00001-of-00002.parquet");
    try (ImageDataset images = ImageDataset.open(first.getParent())) {
      assertThat(images.classes()).containsExactly("Zebra", "ant", "\u00e4rgernis", "\uD83D\uDC1D");
      assertThat(images.labels()).containsExactly(1, 3, -1, 1, 0, 2, 1);
    }
  }

  @Test
  void shouldReadTextsThatShareTheirBeginnings() throws IOException {
    try (ImageDataset deltas =
            ParquetImages.builder(fixture("deltas.parquet")).keyField("image.path").build();
        ImageDataset plain =
            ParquetImages.builder(fixture("snappy.parquet")).keyField("image.path").build()) {
      for (int i = 11; i >= 0; i--) {
        assertThat(deltas.encoded(i).key()).isEqualTo(plain.encoded(i).key());
      }
    }
  }

  @Test
  void shouldReadOtherColumnsWhereSeveralHaveOneName() throws IOException {
    Path file = fixture("several.parquet");
    try (ImageDataset images = ParquetImages.builder(file).keyField("key").build()) {
      assertThat(images.labels()).containsExactly(1, 0);
      assertThat(images.encoded(1).key()).isEqualTo("b");
    }
    for (String name : List.of("twice", "a.b")) {
      assertThatThrownBy(() -> ParquetImages.builder(file).keyField(name).build())
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("several.parquet", "several columns are called '" + name + "'");
    }
  }

  @Test
  void shouldTakeWholeNumbersForLabelsBesideTheirNames() throws IOException {
    try (ImageDataset images = ParquetImages.of(fixture("labels/named.parquet"))) {
      assertThat(images.labels()).containsExactly(1, 0);
    }
    try (ImageDataset images = ParquetImages.of(fixture("labels/nulls.parquet"))) {
      assertThat(images.labels()).containsExactly(-1, -1);
    }
    for (String name : List.of("labels/unsigned.parquet", "labels/large.parquet")) {
      try (ImageDataset images = ParquetImages.of(fixture(name))) {
        assertThatThrownBy(() -> images.label(1))
            .isInstanceOf(FormatException.class)
            .hasMessageContainingAll(name, "column label");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"a.parquet, 0", "b.parquet, 0", "c.parquet, 3"})
  void shouldReadFilesAndRowGroupsWithoutRows(String name, int samples) throws IOException {
    try (ImageDataset images = ParquetImages.of(fixture("empty/" + name))) {
      assertThat(read(images)).isEqualTo(noted("empty/" + name)).hasSize(samples);
      images.store().checkStructure();
    }
    try (ImageDataset images =
        ParquetImages.of(
            fixture("empty/a.parquet", "empty/b.parquet", "empty/c.parquet").getParent())) {
      assertThat(read(images)).isEqualTo(noted("empty/c.parquet"));
    }
  }

  @Test
  void shouldListTheColumnsWhereOneIsMissing() throws IOException {
    Path file = fixture("flat.parquet");
    assertThatThrownBy(() -> ParquetImages.builder(file).imageField("picture").build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("no column 'picture'", "image-field", "jpg (BYTE_ARRAY)");
  }

  @Test
  void shouldAskWhichOfTwoLabelsIsMeant() throws IOException {
    Path file = fixture("two_labels.parquet");
    assertThatThrownBy(() -> ParquetImages.of(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("label (INT64)", "coarse (INT64)", "label-field");
    try (ImageDataset images = ParquetImages.builder(file).labelField("coarse").build()) {
      assertThat(images.labels()).containsExactly(0, 0, 1);
      assertThat(images.classes()).containsExactly("insect", "mammal");
    }
  }

  @Test
  void shouldTakeKeysFromAColumn() throws IOException {
    try (ImageDataset images =
        ParquetImages.builder(fixture("snappy.parquet")).keyField("image.path").build()) {
      assertThat(images.encoded(7).key()).isEqualTo("7.png");
    }
    try (ImageDataset images = ParquetImages.of(fixture("snappy.parquet"))) {
      assertThat(images.encoded(7).key()).isEqualTo("07");
    }
  }

  @Test
  void shouldReadEachPageOnceInAnOrderOfRowGroups() throws IOException {
    fixture(SPLIT);
    try (ImageDataset images =
            ParquetImages.builder(directory.resolve("split")).cacheBytes(1 << 20).build();
        ImageDataset uncached =
            ParquetImages.builder(directory.resolve("split")).cacheBytes(0).build()) {
      Order shuffled = ShardedSampler.of(images.store().shardSizes(), 1, 3).order(0);
      long[] indices = LongStream.range(0, shuffled.size()).map(shuffled::indexAt).toArray();
      assertThat(Arrays.stream(indices).sorted().toArray())
          .isEqualTo(LongStream.range(0, 12).toArray());
      for (long index : indices) {
        assertThat(images.encoded(index).bytes()).isEqualTo(uncached.encoded(index).bytes());
      }
    }
  }

  @Test
  void shouldNameWhatItDoesNotRead() throws IOException {
    try (ImageDataset images = ParquetImages.of(fixture("brotli.parquet"))) {
      assertThatThrownBy(() -> images.encoded(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("brotli.parquet, row group 0, column image.bytes", "BROTLI");
    }
  }

  @Test
  void shouldNoticeADamagedPageByItsChecksum() throws IOException {
    Path file = fixture("checksums.parquet");
    byte[] bytes = Files.readAllBytes(file);
    bytes[200] ^= 4;
    Files.write(file, bytes);

    try (ImageDataset images = ParquetImages.of(file)) {
      assertThatThrownBy(() -> images.encoded(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("checksums.parquet, row group 0, column image.bytes", "CRC-32");
      assertThat(images.encoded(11).bytes()).isNotEmpty();
    }
  }

  @Test
  void shouldRefuseADefinitionLevelBeyondTheMostAndNotTakeItForNull() throws IOException {
    Path file = fixture("none.parquet");
    byte[] bytes = Files.readAllBytes(file);
    // The level of all five labels of the first row group, as one run.
    assertThat(Arrays.copyOfRange(bytes, 5576, 5582)).containsExactly(2, 0, 0, 0, 10, 1);
    bytes[5581] = 127;
    Files.write(file, bytes);

    try (ImageDataset images = ParquetImages.of(file)) {
      assertThatThrownBy(() -> images.label(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(
              "none.parquet, row group 0, column label",
              "value 0 has the definition level 127",
              "at most 1");
      assertThat(images.label(5)).isEqualTo(2);
    }
  }

  @Test
  void shouldSayWhatBringsALibraryThatDoesNotLoad() throws IOException {
    Path file = fixture("snappy.parquet");
    assertThatThrownBy(() -> WithoutJars.call(getClass(), "open", file, "snappy-java"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("org.xerial.snappy.Snappy", "io.feedline:loader-tables");
    Path plain = fixture("none.parquet");
    assertThatThrownBy(() -> WithoutJars.call(getClass(), "open", plain, "snappy-java", "zstd-jni"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("it was read");
  }

  /** Called by reflection, with the classes of its own loader. */
  static void open(Path file) throws IOException {
    try (ImageDataset images = ParquetImages.of(file)) {
      images.encoded(0);
    }
    throw new IllegalArgumentException("it was read");
  }
}
