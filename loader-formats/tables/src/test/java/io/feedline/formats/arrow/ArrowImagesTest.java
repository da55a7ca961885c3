package io.feedline.formats.arrow;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.table.TableImages;
import io.feedline.formats.table.TableImagesContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The behavior of Arrow alone; the contract of all stores runs elsewhere. */
class ArrowImagesTest extends TableImagesContract {

  ArrowImagesTest() {
    super(
        "arrow",
        "record batch",
        "stream",
        "part/data-00000-of-00002.arrow",
        "part/data-00001-of-00002.arrow");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stream", "file", "int32", "uint8", "large", "sliced", "v4"})
  void shouldReadWhatPyarrowWrote(String name) throws IOException {
    requireImages(name + ".arrow");
    try (ImageDataset images = TableImages.of(directory.resolve(name + ".arrow"))) {
      assertThat(images.store().shardSizes()).hasSize(3);
    }
  }

  /** Their nodes and buffers lie in front of those of the images, among them lists and views. */
  @ParameterizedTest
  @ValueSource(strings = {"among.arrow", "among_v4.arrow"})
  void shouldPassOverColumnsOfAnyType(String name) throws IOException {
    try (ImageDataset images = TableImages.of(fixture(name))) {
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

    assertThatThrownBy(() -> TableImages.of(file))
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

  /** Hugging Face's cache has a file for each split, whose names need not count anything. */
  @Test
  void shouldNotMixTheSplitsOfADirectory() throws IOException {
    Path cache = Files.createDirectory(directory.resolve("cache"));
    Files.move(fixture("stream.arrow"), cache.resolve("cifar-train.arrow"));
    Files.move(fixture("int32.arrow"), cache.resolve("cifar-test.arrow"));

    assertThatThrownBy(() -> TableImages.of(cache))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(
            "several splits",
            "[cifar-test.arrow, cifar-train.arrow]",
            cache.resolve("cifar-test.arrow").toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"other_classes.arrow;labels would mean different things", "large.arrow;LargeBinary"})
  void shouldRefuseFilesOfOtherSchemas(String other, String words) throws IOException {
    Path several = Files.createDirectory(directory.resolve("several"));
    Files.move(fixture("stream.arrow"), several.resolve("a.arrow"));
    Files.move(fixture(other), several.resolve("b.arrow"));

    assertThatThrownBy(() -> TableImages.of(several.resolve("*.arrow")))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("b.arrow", "a.arrow", words);
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
    requireRefusedLabels(name, column);
  }

  @ParameterizedTest
  @CsvSource({"a.arrow, 0", "b.arrow, 3"})
  void shouldReadFilesAndRecordBatchesWithoutRows(String name, int samples) throws IOException {
    requireSize("empty/" + name, samples);
  }

  @Test
  void shouldTakeKeysFromALargeColumn() throws IOException {
    try (ImageDataset images =
        TableImages.builder(fixture("large.arrow")).keyField("image.path").build()) {
      assertThat(images.encoded(7).key()).isEqualTo("7.png");
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
    assertThatThrownBy(() -> TableImages.of(file))
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
    requireRefusedColumn("stream.arrow", option);
  }

  /** A cache in front of the files keeps the bytes that a sample is read from. */
  @Test
  void shouldTellWhereARecordBatchLies() throws IOException {
    Path file = fixture("stream.arrow");
    byte[] all = Files.readAllBytes(file);
    try (ImageDataset images = TableImages.of(file)) {
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
