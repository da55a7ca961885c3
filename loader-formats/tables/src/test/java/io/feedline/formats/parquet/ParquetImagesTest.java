package io.feedline.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.WithoutJars;
import io.feedline.formats.table.TableImages;
import io.feedline.formats.table.TableImagesContract;
import io.feedline.sampler.Sampler.Order;
import io.feedline.sampler.ShardedSampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The behavior of Parquet alone; the contract of all stores runs elsewhere. */
class ParquetImagesTest extends TableImagesContract {

  private static final String[] SPLIT = {
    "split/train-00000-of-00002.parquet", "split/train-00001-of-00002.parquet"
  };

  ParquetImagesTest() {
    super("parquet", "row group", "snappy", SPLIT);
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
    requireImages(name + ".parquet");
  }

  @Test
  void shouldNotMixTheSplitsOfADirectory() throws IOException {
    fixture(SPLIT);
    fixture("split/test-00000-of-00001.parquet");
    Path split = directory.resolve("split");

    assertThatThrownBy(() -> TableImages.of(split))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("several splits", "[test, train]", "test-*.parquet");
    try (ImageDataset images = TableImages.of(split.resolve("test-00000-of-00001.parquet"))) {
      assertThat(images.labels()).containsExactly(2);
    }
  }

  @Test
  void shouldFindColumnsByTheirUsualNames() throws IOException {
    Path file = fixture("flat.parquet");
    try (ImageDataset images = TableImages.of(file)) {
      assertThat(read(images)).isEqualTo(noted("flat.parquet"));
      assertThat(images.classes()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"image-field=score", "image-field=caption", "label-field=jpg"})
  void shouldRefuseColumnsOfAnotherType(String option) throws IOException {
    requireRefusedColumn("flat.parquet", option);
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
    requireRefusedLabels(name, column);
  }

  @Test
  void shouldMakeClassesOfPagesOfTextsAndDictionaries() throws IOException {
    try (ImageDataset images = ImageDataset.open(fixture("labels/mixed.parquet"))) {
      assertThat(images.classes()).containsExactly("ant", "bee");
      assertThat(images.labels()).containsExactly(0, 1);
    }
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
            TableImages.builder(fixture("deltas.parquet")).keyField("image.path").build();
        ImageDataset plain =
            TableImages.builder(fixture("snappy.parquet")).keyField("image.path").build()) {
      for (int i = 11; i >= 0; i--) {
        assertThat(deltas.encoded(i).key()).isEqualTo(plain.encoded(i).key());
      }
    }
  }

  @Test
  void shouldReadOtherColumnsWhereSeveralHaveOneName() throws IOException {
    Path file = fixture("several.parquet");
    try (ImageDataset images = TableImages.builder(file).keyField("key").build()) {
      assertThat(images.labels()).containsExactly(1, 0);
      assertThat(images.encoded(1).key()).isEqualTo("b");
    }
    for (String name : List.of("twice", "a.b")) {
      assertThatThrownBy(() -> TableImages.builder(file).keyField(name).build())
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("several.parquet", "several columns are called '" + name + "'");
    }
  }

  @Test
  void shouldTakeWholeNumbersForLabelsBesideTheirNames() throws IOException {
    try (ImageDataset images = TableImages.of(fixture("labels/named.parquet"))) {
      assertThat(images.labels()).containsExactly(1, 0);
    }
    for (String name : List.of("labels/unsigned.parquet", "labels/large.parquet")) {
      try (ImageDataset images = TableImages.of(fixture(name))) {
        assertThatThrownBy(() -> images.label(1))
            .isInstanceOf(FormatException.class)
            .hasMessageContainingAll(name, "column label");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"a.parquet, 0", "b.parquet, 0", "c.parquet, 3"})
  void shouldReadFilesAndRowGroupsWithoutRows(String name, int samples) throws IOException {
    requireSize("empty/" + name, samples);
    try (ImageDataset images =
        TableImages.builder(
                fixture("empty/a.parquet", "empty/b.parquet", "empty/c.parquet").getParent())
            .build()) {
      assertThat(read(images)).isEqualTo(noted("empty/c.parquet"));
    }
  }

  @Test
  void shouldListTheColumnsWhereOneIsMissing() throws IOException {
    Path file = fixture("flat.parquet");
    assertThatThrownBy(() -> TableImages.builder(file).imageField("picture").build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("no column 'picture'", "image-field", "jpg (BYTE_ARRAY)");
  }

  @Test
  void shouldAskWhichOfTwoLabelsIsMeant() throws IOException {
    Path file = fixture("two_labels.parquet");
    assertThatThrownBy(() -> TableImages.of(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("label (INT64)", "coarse (INT64)", "label-field");
    try (ImageDataset images = TableImages.builder(file).labelField("coarse").build()) {
      assertThat(images.labels()).containsExactly(0, 0, 1);
      assertThat(images.classes()).containsExactly("insect", "mammal");
    }
  }

  @Test
  void shouldReadEachPageOnceInAnOrderOfRowGroups() throws IOException {
    fixture(SPLIT);
    try (ImageDataset images =
            TableImages.builder(directory.resolve("split")).cacheBytes(1 << 20).build();
        ImageDataset uncached =
            TableImages.builder(directory.resolve("split")).cacheBytes(0).build()) {
      Order shuffled = ShardedSampler.of(images.store().shardSizes(), 1, 3).order(0);
      for (long i = 0; i < shuffled.size(); i++) {
        long index = shuffled.indexAt(i);
        assertThat(images.encoded(index).bytes()).isEqualTo(uncached.encoded(index).bytes());
      }
    }
  }

  @Test
  void shouldNameWhatItDoesNotRead() throws IOException {
    try (ImageDataset images = TableImages.of(fixture("brotli.parquet"))) {
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

    try (ImageDataset images = TableImages.of(file)) {
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

    try (ImageDataset images = TableImages.of(file)) {
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
    assertThatThrownBy(() -> WithoutJars.call(getClass(), "readFirst", file, "snappy-java"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("org.xerial.snappy.Snappy", "io.feedline:loader-tables");
    Path plain = fixture("none.parquet");
    assertThatThrownBy(
            () -> WithoutJars.call(getClass(), "readFirst", plain, "snappy-java", "zstd-jni"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("it was read");
  }

  /** Called by reflection, with the classes of its own loader. */
  static void readFirst(Path file) throws IOException {
    try (ImageDataset images = TableImages.of(file)) {
      images.encoded(0);
    }
    throw new IllegalArgumentException("it was read");
  }
}
