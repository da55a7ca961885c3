package io.feedline.formats.recordio;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordIoDatasetTest extends DatasetContract<byte[]> {

  private static final String MAGIC = "\n#\u00d7\u00ce";

  /** The records that make_fixtures.py put into raw.rec. */
  private static final List<byte[]> RAW =
      List.of(
          bytes("one"),
          bytes(""),
          bytes(MAGIC),
          bytes("abcd" + MAGIC + "efgh"),
          bytes(MAGIC + MAGIC + "xyz"),
          bytes("abcd" + MAGIC),
          bytes("a" + MAGIC + "not aligned"),
          bytes("four" + MAGIC + "five" + MAGIC + MAGIC + "six"),
          bytes(MAGIC.substring(0, 3)),
          bytes256());

  @TempDir private Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static byte[] bytes256() {
    byte[] bytes = new byte[256 * 5];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private Path raw() throws IOException {
    return Fixtures.copy(directory, "raw.rec", "raw.idx");
  }

  @Override
  protected Dataset<byte[]> dataset() throws IOException {
    return RecordIoDataset.of(raw());
  }

  private static void requireRaw(RecordIoDataset dataset) throws IOException {
    assertThat(dataset.size()).isEqualTo(RAW.size());
    for (int i = RAW.size() - 1; i >= 0; i--) {
      assertThat(dataset.get(i)).as("record %d", i).isEqualTo(RAW.get(i));
      assertThat(dataset.key(i)).isEqualTo(i);
    }
  }

  @Test
  void shouldReadWithoutAnIndex() throws IOException {
    Path rec = Fixtures.copy(directory, "raw.rec");
    try (RecordIoDataset dataset = RecordIoDataset.of(rec)) {
      requireRaw(dataset);
    }
    Files.writeString(directory.resolve("raw.idx"), "0\t0\n");
    try (RecordIoDataset dataset = RecordIoDataset.withoutIndex(rec)) {
      requireRaw(dataset);
    }
  }

  @Test
  void shouldReadRecordsOfAllLengthsAroundTheScansWindow() throws IOException {
    Path rec = directory.resolve("x/data.rec");
    int[] lengths = {5, 262_136, 3, 262_144, 262_145, 8, 600_000, 1, 0, 262_150};
    try (StoreWriter<byte[]> writer = RecordIoDataset.writer(rec.getParent())) {
      for (int length : lengths) {
        byte[] record = new byte[length];
        Arrays.fill(record, (byte) length);
        writer.write(record);
      }
      writer.commit();
    }
    try (RecordIoDataset scanned = RecordIoDataset.withoutIndex(rec);
        RecordIoDataset indexed = RecordIoDataset.of(rec)) {
      assertThat(scanned.size()).isEqualTo(lengths.length);
      for (int i = 0; i < lengths.length; i++) {
        assertThat(scanned.get(i)).hasSize(lengths[i]).isEqualTo(indexed.get(i));
      }
    }
  }

  @Test
  void shouldFollowTheOrderOfTheIndex() throws IOException {
    Path rec = raw();
    Path idx = Files.writeString(directory.resolve("some.idx"), "7\t12\r\n  3 0\n\n12\t20\n");
    try (RecordIoDataset dataset = RecordIoDataset.of(rec, idx)) {
      assertThat(dataset.size()).isEqualTo(3);
      assertThat(dataset.get(0)).isEmpty();
      assertThat(dataset.key(0)).isEqualTo(7);
      assertThat(dataset.get(1)).isEqualTo(bytes("one"));
      assertThat(dataset.describe(1)).isEqualTo(rec + ", key 3 at position 0");
      assertThat(dataset.key(2)).isEqualTo(12);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x\t0| line 1: a key is expected, which is a number of digits, not 'x'",
        "0\t0;1| line 1: ';' where the line should end",
        "0\t0#1\t| line 2: a position is expected, which is a number of digits, not the end",
        "0\t-4| line 1: a position is expected, which is a number of digits, not '-'",
        "0\t2| line 1: key 0 has position 2, which is not a multiple of 4",
        "0\t99999999| line 1: key 0 has position 99999999",
        "99999999999999999999\t0| line 1: a key is larger than 2^63 - 1",
        "4\t0#5\t12#4\t20| key 4 comes twice",
      })
  void shouldSayWhereAnIndexIsWrong(String lines, String problem) throws IOException {
    Path rec = raw();
    Path idx = Files.writeString(directory.resolve("raw.idx"), lines.replace('#', '\n'));

    refused(FormatException.class, () -> RecordIoDataset.of(rec), idx.toString(), problem.strip());
  }

  @Test
  void shouldRefuseEveryTruncationOfTheIndex() throws IOException {
    Path rec = raw();
    Path idx = directory.resolve("raw.idx");
    byte[] whole = Fixtures.bytes("raw.idx");
    for (int length = 0; length < whole.length - 1; length++) {
      Files.write(idx, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> RecordIoDataset.of(rec))
          .as("%d bytes", length)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(idx.toString());
    }
    Files.write(idx, Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> RecordIoDataset.of(rec)).hasMessageContaining(rec.toString());
    Files.write(idx, Arrays.copyOf(whole, whole.length - 1));
    try (RecordIoDataset dataset = RecordIoDataset.of(rec)) {
      requireRaw(dataset);
    }
  }

  @Test
  void shouldRefuseAnIndexOfSomeRecordsThatEndsWithinALine() throws IOException {
    Path rec = raw();
    Path idx = Files.writeString(directory.resolve("some.idx"), "7\t12\n3\t0");

    assertThatThrownBy(() -> RecordIoDataset.of(rec, idx))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(idx.toString(), rec.toString(), "ends within a line");
  }

  @Test
  void shouldRefuseTheIndexOfAShorterFile() throws IOException {
    Path rec = directory.resolve("x.rec");
    Path idx = directory.resolve("x.idx");
    Files.write(rec, Fixtures.bytes("raw.rec"));
    Files.write(rec, Fixtures.bytes("raw.rec"), StandardOpenOption.APPEND);
    Files.write(idx, Fixtures.bytes("raw.idx"));

    assertThatThrownBy(() -> RecordIoDataset.of(rec))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(idx.toString(), rec.toString(), Files.size(rec) + " bytes");
    try (RecordIoDataset dataset = RecordIoDataset.of(rec, idx)) {
      requireRaw(dataset);
    }
  }

  @Test
  void shouldNameFilesThatAreMissing() throws IOException {
    Path absent = directory.resolve("absent.rec");
    refused(
        IOException.class, () -> RecordIoDataset.of(absent), absent + ": there is no such file");
    assertThatThrownBy(() -> RecordIoDataset.of(raw(), directory.resolve("absent.idx")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("absent.idx");
  }

  @Test
  void shouldNameTheRecordThatAnIndexMisses() throws IOException {
    Path rec = raw();
    Path idx = Files.writeString(directory.resolve("some.idx"), "0\t4\n1\t28\n");
    try (RecordIoDataset dataset = RecordIoDataset.of(rec, idx)) {
      assertThatThrownBy(() -> dataset.get(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(
              rec + ", key 0 at position 4", "where the magic number ced7230a is expected");
      // The second part of the record that is a magic number.
      refused(FormatException.class, () -> dataset.get(1), "key 1", "begins with a part of kind 3");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 9, 11, 24, 30, 40, 70, 1000})
  void shouldSayWhereAFileIsCutOff(int length) throws IOException {
    Path rec = directory.resolve("cut.rec");
    Files.write(rec, Arrays.copyOf(Fixtures.bytes("raw.rec"), length));

    refused(
        FormatException.class, () -> RecordIoDataset.of(rec), rec + ", record ", "the file ends");
  }

  @Test
  void shouldSayWhereAFileIsCutOffBehindItsIndex() throws IOException {
    Path rec = raw();
    byte[] whole = Fixtures.bytes("raw.rec");
    Files.write(rec, Arrays.copyOf(whole, whole.length - 8));
    try (RecordIoDataset dataset = RecordIoDataset.of(rec)) {
      assertThat(dataset.get(0)).isEqualTo(RAW.get(0));
      assertThatThrownBy(() -> dataset.get(9))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("key 9", "has 1280 bytes, but the file ends after 1272");
    }
  }

  /** A byte that is missing anywhere in the last record shows there alone. */
  @Test
  void shouldMissTheLastBytePaddingIncluded() throws IOException {
    Path rec = directory.resolve("pictures.rec");
    byte[] whole = Fixtures.bytes("pictures.rec");
    Files.write(rec, Arrays.copyOf(whole, whole.length - 1));
    Files.write(directory.resolve("pictures.idx"), Fixtures.bytes("pictures.idx"));
    try (RecordIoDataset dataset = RecordIoDataset.of(rec)) {
      assertThat(dataset.get(4)).hasSize(695);
      assertThatThrownBy(() -> dataset.get(5))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("has 134 bytes and 2 of padding, but the file ends after 135");
    }
  }

  @Test
  void shouldRefuseALengthThatIsALieWithoutTakingMemory() throws IOException {
    Path rec = raw();
    byte[] bytes = Fixtures.bytes("raw.rec");
    bytes[6] = (byte) 0xff;
    bytes[7] = 0x1f;
    Files.write(rec, bytes);
    try (RecordIoDataset dataset = RecordIoDataset.of(rec)) {
      refused(FormatException.class, () -> dataset.get(0), "has 536805379 bytes");
    }
    refused(FormatException.class, () -> RecordIoDataset.withoutIndex(rec), "the file ends");
  }

  @ParameterizedTest
  @CsvSource({"1, a record begins where the one before is not complete", "4, no part of kind 4"})
  void shouldRefusePartsThatDoNotFollowEachOther(int kind, String problem) throws IOException {
    Path rec = raw();
    byte[] bytes = Fixtures.bytes("raw.rec");
    // The kind of the second part of the record at 20.
    bytes[28 + 7] = (byte) (kind << 5);
    Files.write(rec, bytes);
    try (RecordIoDataset dataset = RecordIoDataset.of(rec)) {
      refused(FormatException.class, () -> dataset.get(2), "key 2 at position 20", problem);
    }
    assertThatThrownBy(() -> RecordIoDataset.withoutIndex(rec))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("record 2 at offset 20: its part at 28", problem);
  }
}
