package io.feedline.formats.arrow;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The behavior of Arrow alone; the contract of all stores runs elsewhere. */
class ArrowImagesTest {

  private static final String[] PARTS = {
    "part/data-00000-of-00002.arrow", "part/data-00001-of-00002.arrow"
  };

  @TempDir private Path directory;

  private Path fixture(String... names) throws IOException {
    return FixtureFiles.copy(getClass(), directory, names);
  }

  /** Labels and checksums of a file's images, as the script has noted them. */
  private static List<String> noted(String name) {
    return FixtureFiles.lines(ArrowImagesTest.class, "values.txt").stream()
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
  @ValueSource(strings = {"stream", "file", "int32", "uint8", "large", "sliced", "v4"})
  void shouldReadWhatPyarrowWrote(String name) throws IOException {
    try (ImageDataset images = ArrowImages.of(fixture(name + ".arrow"))) {
      assertThat(read(images)).isEqualTo(noted(name + ".arrow")).isNotEmpty();
      assertThat(images.classes()).containsExactly("ant", "bee", "cat");
      assertThat(images.get(1).image().width()).isEqualTo(18);
      assertThat(images.store().shardSizes()).hasSize(3);
      images.store().checkStructure();
    }
  }

  /** Their nodes and buffers lie in front of those of the images, among them lists and views. */
  @ParameterizedTest
  @ValueSource(strings = {"among.arrow", "among_v4.arrow"})
  void shouldPassOverColumnsOfAnyType(String name) throws IOException {
    try (ImageDataset images = ArrowImages.of(fixture(name))) {
      assertThat(read(images)).isEqualTo(noted(name)).hasSize(4);
      assertThat(images.classes()).isEmpty();
    }
  }

  @Test
  void shouldRefuseABatchOfAnotherVersionThanItsSchema() throws IOException {
    Path file = fixture("v4.arrow");
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int batch = 8 + bytes.getInt(4);
    int header = batch + 8;
    int table = header + bytes.getInt(header);
    int version = table + bytes.getShort(table - bytes.getInt(table) + 4);
    assertThat(bytes.getShort(version)).isEqualTo(MetadataVersion.V4);
    Files.write(file, bytes.putShort(version, MetadataVersion.V5).array());

    assertThatThrownBy(() -> ArrowImages.of(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(file.toString(), "offset " + batch, "version 5", "version 4");
  }

  @ParameterizedTest
  @CsvSource({"plain.feather, any.feather", "file.arrow, any.dat", "stream.arrow, cache.ARROW"})
  void shouldRecognizeFilesByNameAndByTheirBeginning(String name, String called)
      throws IOException {
    Path file = Files.move(fixture(name), directory.resolve(called));

    assertThat(StoreFormat.of(file).name()).isEqualTo("arrow");
    try (ImageDataset images = ImageDataset.open(file)) {
      assertThat(images.get(0).image().width()).isEqualTo(18);
    }
  }

  @Test
  void shouldTakeTheFilesOfADirectoryForOneDataset() throws IOException {
    fixture(PARTS);
    List<String> expected = new ArrayList<>(noted(PARTS[0]));
    expected.addAll(noted(PARTS[1]));
    for (String path : List.of("part", "part/data-*.arrow")) {
      try (ImageDataset images = ImageDataset.open(directory.resolve(path))) {
        assertThat(read(images)).isEqualTo(expected).hasSize(12);
        assertThat(images.store().shardSizes()).containsExactly(4, 2, 4, 2);
        assertThat(images.describe(9))
            .isEqualTo(directory.resolve(PARTS[1]) + ", record batch 0, row 3");
      }
    }
  }

  /** Hugging Face's cache has a file for each split, whose names need not count anything. */
  @Test
  void shouldNotMixTheSplitsOfADirectory() throws IOException {
    Path cache = Files.createDirectory(directory.resolve("cache"));
    Files.move(fixture("stream.arrow"), cache.resolve("cifar-train.arrow"));
    Files.move(fixture("int32.arrow"), cache.resolve("cifar-test.arrow"));

    assertThatThrownBy(() -> ArrowImages.of(cache))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(
            "several splits",
            "[cifar-test.arrow, cifar-train.arrow]",
            cache.resolve("cifar-test.arrow").toString());
  }

  @Test
  void shouldMissAFileOfADataset() throws IOException {
    Path pattern = fixture(PARTS[0]).resolveSibling("data-*");

    assertThatThrownBy(() -> ArrowImages.of(pattern))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("1 of 2 shards are missing: [1]");
    try (ImageDataset images = ArrowImages.builder(pattern).allowMissingShards(true).build()) {
      assertThat(images.size()).isEqualTo(6);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"other_classes.arrow;labels would mean different things", "large.arrow;LargeBinary"})
  void shouldRefuseFilesOfOtherSchemas(String other, String words) throws IOException {
    Path several = Files.createDirectory(directory.resolve("several"));
    Files.move(fixture("stream.arrow"), several.resolve("a.arrow"));
    Files.move(fixture(other), several.resolve("b.arrow"));

    assertThatThrownBy(() -> ArrowImages.of(several.resolve("*.arrow")))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("b.arrow", "a.arrow", words);
  }

  @Test
  void shouldReadNullsAsWhatTheyMean() throws IOException {
    try (ImageDataset images = ArrowImages.of(fixture("nulls.arrow"))) {
      assertThat(images.labels()).containsExactly(0, 1, 2, -1, -1);
      assertThat(FixtureFiles.crc(images.encoded(3).bytes()))
          .isEqualTo(noted("nulls.arrow").get(3).split(",", -1)[1]);
      for (int index : new int[] {1, 2}) {
        assertThatThrownBy(() -> images.encoded(index))
            .isInstanceOf(FormatException.class)
            .hasMessageContainingAll(
                "nulls.arrow, record batch 0, row " + index, "image.bytes is null", "elsewhere");
      }
    }
  }

  /** A label of -1 everywhere would train without a word. */
  @ParameterizedTest
  @CsvSource({
    "floats, label (FloatingPoint)",
    "bools, label (Bool)",
    "dates, label (Date)",
    "lists, 'label.item (Int64, repeated)'",
  })
  void shouldRefuseLabelsThatAreNeitherWholeNumbersNorTexts(String name, String column)
      throws IOException {
    Path file = fixture("labels/" + name + ".arrow");

    assertThatThrownBy(() -> ArrowImages.of(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(file.toString(), column, "whole numbers or texts", "label-field");
    try (ImageDataset images = ArrowImages.builder(file).withoutLabels().build()) {
      assertThat(images.labels()).containsExactly(-1, -1);
    }
  }

  /** As the directories of a folder of images are. */
  @ParameterizedTest
  @ValueSource(strings = {"texts", "dictionary"})
  void shouldMakeClassesOfTexts(String name) throws IOException {
    try (ImageDataset images = ImageDataset.open(fixture("labels/" + name + ".arrow"))) {
      assertThat(images.classes()).containsExactly("ant", "bee");
      assertThat(images.labels()).containsExactly(0, 1);
      assertThat(images.encoded(1).label()).isEqualTo(1);
    }
  }

  @Test
  void shouldTakeAColumnOfNullsForNoLabels() throws IOException {
    try (ImageDataset images = ArrowImages.of(fixture("labels/nulls.arrow"))) {
      assertThat(images.labels()).containsExactly(-1, -1);
    }
  }

  @ParameterizedTest
  @CsvSource({"a.arrow, 0", "b.arrow, 3"})
  void shouldReadFilesAndRecordBatchesWithoutRows(String name, int samples) throws IOException {
    try (ImageDataset images = ArrowImages.of(fixture("empty/" + name))) {
      assertThat(read(images)).isEqualTo(noted("empty/" + name)).hasSize(samples);
      images.store().checkStructure();
    }
  }

  @Test
  void shouldTakeKeysFromAColumn() throws IOException {
    for (String name : List.of("stream.arrow", "large.arrow")) {
      try (ImageDataset images =
          ArrowImages.builder(fixture(name)).keyField("image.path").build()) {
        assertThat(images.encoded(7).key()).isEqualTo("7.png");
      }
    }
    try (ImageDataset images = ArrowImages.of(fixture("stream.arrow"))) {
      assertThat(images.encoded(7).key()).isEqualTo("07");
    }
  }

  @Test
  void shouldLeaveLabelsOut() throws IOException {
    Path file = fixture("stream.arrow");
    try (ImageStore store =
        StoreFormat.of(file).open(file, StoreOptions.of(Map.of("label-field", "")))) {
      assertThat(store.read(1).label()).isEqualTo(EncodedImage.NO_LABEL);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "lz4.feather, LZ4_FRAME, uncompressed",
    "zstd.feather, ZSTD, uncompressed",
    "view.arrow, image (BinaryView), image-field",
    "lists.arrow, 'image.item (Binary, repeated)', image-field",
    "dictionary.arrow, image (dictionary of Binary), image-field",
  })
  void shouldNameWhatItDoesNotRead(String name, String what, String wayOut) throws IOException {
    Path file = fixture(name);
    assertThatThrownBy(() -> ArrowImages.of(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(file.toString(), what, wayOut);
  }

  @Test
  void shouldRefuseWhatIsNoArrow() throws IOException {
    Path feather = Files.writeString(directory.resolve("old.feather"), "FEA1 and more");
    assertThatThrownBy(() -> ImageDataset.open(feather))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("old.feather", "version 1", "write_feather");
    Path text = Files.writeString(directory.resolve("text.arrow"), "a text and no table");
    assertThatThrownBy(() -> ImageDataset.open(text))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("text.arrow", "ARROW1");
  }

  /** Streams had no FF FF FF FF in front of messages. */
  @Test
  void shouldNameAStreamOfBefore015() throws IOException {
    byte[] stream = Files.readAllBytes(fixture("stream.arrow"));
    Path old =
        Files.write(directory.resolve("old.arrow"), Arrays.copyOfRange(stream, 4, stream.length));
    assertThatThrownBy(() -> ImageDataset.open(old))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("old.arrow", "before 0.15", "open_stream");
  }

  @ParameterizedTest
  @ValueSource(strings = {"image-field=label", "label-field=image.bytes", "key-field=label"})
  void shouldRefuseColumnsOfAnotherType(String option) throws IOException {
    Path file = fixture("stream.arrow");
    String[] parts = option.split("=", -1);

    assertThatThrownBy(
            () ->
                StoreFormat.named("arrow").open(file, StoreOptions.of(Map.of(parts[0], parts[1]))))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("stream.arrow", parts[1]);
  }

  /** A cache in front of the files keeps the bytes that a sample is read from. */
  @Test
  void shouldTellWhereARecordBatchLies() throws IOException {
    Path file = fixture("stream.arrow");
    byte[] all = Files.readAllBytes(file);
    try (ImageDataset images = ArrowImages.of(file)) {
      List<FileRange> parts = images.store().parts(7);
      byte[] image = images.encoded(7).bytes();
      assertThat(parts).hasSize(1);
      FileRange data = parts.get(0);
      assertThat(data.file()).isEqualTo(file);
      assertThat(new String(all, (int) data.offset(), (int) data.length(), ISO_8859_1))
          .contains(new String(image, ISO_8859_1));
    }
  }
}
