package io.feedline.formats.image.internal;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class RawRecordTest {

  /** Compares with the pixels that raw.py reads from its own records. */
  @ParameterizedTest
  @FieldSource("io.feedline.formats.image.internal.TestRaws#FIXTURES")
  void shouldBeReadAsPythonReadsIt(String name) throws IOException {
    RawRecord record = RawRecord.parse(TestRaws.fixture(name + ".flr"));
    byte[] expected = TestRaws.fixture(name + ".ppm");

    byte[] pixels = samples(record);

    String header =
        "P%d %d %d 255\n".formatted(record.samples() == 1 ? 5 : 6, record.width(), record.height());
    assertThat(expected).startsWith(header.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    assertThat(pixels).isEqualTo(Arrays.copyOfRange(expected, header.length(), expected.length));
    assertThat(record.orientation()).isEqualTo(name.endsWith("turned") ? 6 : 1);
  }

  @Test
  void shouldBeWrittenAsPythonWritesIt() throws IOException {
    byte[] ppm = TestRaws.fixture("rgb_7x21.ppm");
    byte[] rgb = Arrays.copyOfRange(ppm, ppm.length - 3 * 7 * 21, ppm.length);
    assertThat(RawWriter.write(rgb, 7, 21, 1, false)).isEqualTo(TestRaws.fixture("rgb_7x21.flr"));
  }

  @Test
  void shouldBeAsTheSpecificationShows() throws IOException {
    String shown =
        Files.readAllLines(Path.of("RAW.md")).stream()
            .filter(line -> line.matches(" {4}([0-9A-F]{2} ){8,}[0-9A-F]{2}"))
            .map(String::strip)
            .collect(Collectors.joining(" "));
    HexFormat hex = HexFormat.ofDelimiter(" ").withUpperCase();
    assertThat(hex.formatHex(TestRaws.fixture("rgb_2x2.flr"))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, false, false",
    "5, 16, false, true",
    "40, 33, false, false",
    "40, 33, false, true",
    "31, 50, true, false",
    "31, 50, true, true"
  })
  void shouldHaveThePixelsThatWereWritten(int width, int height, boolean gray, boolean lz4)
      throws IOException {
    byte[] rgb = TestRaws.pixels(width, height, gray, new Random(width));
    byte[] bytes = RawWriter.write(rgb, width, height, 3, lz4);
    RawRecord record = RawRecord.parse(bytes);

    assertThat(record.width()).isEqualTo(width);
    assertThat(record.height()).isEqualTo(height);
    assertThat(record.orientation()).isEqualTo(3);
    assertThat(record.isCompressed()).isEqualTo(lz4);
    assertThat(record.samples()).isEqualTo(gray ? 1 : 3);
    byte[] samples = samples(record);
    byte[] read = new byte[rgb.length];
    for (int i = 0; i < read.length; i++) {
      read[i] = samples[gray ? i / 3 : i];
    }
    assertThat(read).isEqualTo(rgb);
    byte[] plain = RawWriter.write(rgb, width, height, 3, false);
    assertThat(bytes.length).isLessThanOrEqualTo(plain.length);
  }

  @Test
  void shouldStoreRowsAsTheyAreWhereABlockWouldNotBeSmaller() throws IOException {
    byte[] noise = new byte[3 * 50 * 20];
    new Random(1).nextBytes(noise);
    Arrays.fill(noise, 3 * 50 * 16, noise.length, (byte) 7);
    byte[] bytes = RawWriter.write(noise, 50, 20, 1, true);
    RawRecord record = RawRecord.parse(bytes);
    assertThat(samples(record)).isEqualTo(noise);
    assertThat(bytes.length).isBetween(3 * 50 * 16, 3 * 50 * 16 + 100);
  }

  @ParameterizedTest
  @CsvSource({"100, 1", "2000, 2"})
  void shouldReadNothingButTheHeaderAndTheGroupsThatAreAskedFor(int height, int readsOfTheHeader)
      throws IOException {
    byte[] rgb = TestRaws.pixels(10, height, false, new Random(2));
    byte[] bytes = RawWriter.write(rgb, 10, height, 1, false);
    List<String> reads = new ArrayList<>();
    RawRecord record =
        RawRecord.parse(
            bytes.length,
            (position, target, offset, length) -> {
              reads.add(position + "+" + length);
              System.arraycopy(bytes, position, target, offset, length);
            });
    int table = RawRecord.HEADER_BYTES + 8 * record.groups();
    assertThat(reads).hasSize(readsOfTheHeader).startsWith("0+512");
    reads.clear();

    RawRecord.Groups groups = record.read(2, 3, new byte[0]);

    assertThat(reads).containsExactly(table + 2 * 480 + "+960");
    assertThat(groups.first()).isEqualTo(2);
    assertThat(Arrays.copyOf(groups.bytes(), 960)).isEqualTo(Arrays.copyOfRange(rgb, 960, 1920));
    assertThat(record.read(0, 1, groups.bytes()).bytes()).isSameAs(groups.bytes());
    assertThat(samples(record)).isEqualTo(rgb);
  }

  /** Damages a record of 2 x 2 pixels in groups of one row, which begin at bytes 48 and 54. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, false, 'not a raw record: 60 bytes'",
    "8, 2, false, 'the raw record is of version 2, and this Feedline reads version 1'",
    "10, 2, true, 'its samples is 2, expected 1 or 3 (at byte 10)'",
    "10, 1, true, 'group 0 of 2 begins at byte 48 and ends at byte 54, expected 50 to 50'",
    "11, 2, true, 'its compression is 2, expected 0 or 1 (at byte 11)'",
    "12, 9, true, 'its length is 9, expected 60 (at byte 12)'",
    "16, 0, true, 'its width is 0, expected 1 to 2147483647 (at byte 16)'",
    "19, 128, true, 'its width is 2147483650, expected 1 to 2147483647'",
    "16, 3, true, 'group 0 of 2 begins at byte 48 and ends at byte 54, expected 57 to 57'",
    "20, 1, true, 'group 0 of 1 begins at byte 40 and ends at byte 54, expected 46 to 46'",
    "22, 1, true, 'the table of 65538 groups ends at byte 524336, but the record at byte 60'",
    "24, 0, true, 'its rows of a group is 0, expected 1 or more'",
    "26, 9, true, 'its orientation is 9, expected 1 to 8 (at byte 26)'",
    "26, 2, false, 'the checksum of its header is '",
    "27, 1, true, 'its reserved byte is 1, expected 0'",
    "35, 128, true, 'group 0 of 2 begins at byte 48 and ends at byte 2147483702'",
    "40, 59, true, 'group 1 of 2 begins at byte 54 and ends at byte 59, expected 60 to 60'",
    "55, 9, false, 'the checksum of group 1 of 2, 6 bytes, is '"
  })
  void shouldSayWhatIsWrongAndWhere(int at, int value, boolean sealed, String message) {
    byte[] bytes = TestRaws.fixture("rgb_2x2.flr");
    bytes[at] = (byte) value;
    if (sealed) {
      TestRaws.seal(bytes);
    }
    refused(FormatException.class, () -> samples(RawRecord.parse(bytes)), message);
  }

  /** The first block of that record: 1F C8 01 00 77 50 C8 ... at byte 56. */
  @ParameterizedTest
  @CsvSource({
    "58, 2, 'the LZ4 block of group 0 of 3, 11 bytes, cannot be decompressed, expected 144 bytes'",
    "60, 118, 'the LZ4 block of group 0 of 3, 11 bytes, has 143 bytes, expected 144 bytes'",
    "60, 120, 'the LZ4 block of group 0 of 3, 11 bytes, cannot be decompressed'"
  })
  void shouldRefuseBlocksThatAreNotTheirRows(int at, int value, String message) {
    byte[] bytes = TestRaws.fixture("gray_9x40_lz4.flr");
    bytes[at] = (byte) value;
    TestRaws.seal(bytes);
    refused(FormatException.class, () -> samples(RawRecord.parse(bytes)), message);
  }

  @Test
  void shouldRefuseARecordThatIsCutOff() {
    byte[] bytes = TestRaws.fixture("rgb_7x21.flr");
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> RawRecord.parse(cut)).isInstanceOf(FormatException.class);
    }
  }

  /** All samples of a record. */
  private static byte[] samples(RawRecord record) throws IOException {
    RawRecord.Groups groups = record.read(0, record.groups() - 1, new byte[0]);
    byte[] all = new byte[record.width() * record.height() * record.samples()];
    int at = 0;
    for (int group = 0; group < record.groups(); group++) {
      byte[] rows = new byte[(int) record.unpackedBytes(group)];
      record.unpack(groups, group, rows);
      System.arraycopy(rows, 0, all, at, rows.length);
      at += rows.length;
    }
    return all;
  }
}
