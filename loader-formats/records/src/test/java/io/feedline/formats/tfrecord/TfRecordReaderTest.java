package io.feedline.formats.tfrecord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TfRecordReaderTest {

  private static final int HEADER = RecordLayout.HEADER_BYTES;

  @TempDir private Path directory;

  private Path file(byte[] content) throws IOException {
    return Files.write(directory.resolve("x.tfrecord"), content);
  }

  private static TfRecordReader open(Path file) throws IOException {
    return TfRecordReader.open(file, true, 1 << 30);
  }

  private static List<byte[]> readAll(Path file) throws IOException {
    List<byte[]> records = new ArrayList<>();
    try (TfRecordReader reader = open(file)) {
      for (byte[] record = reader.next(); record != null; record = reader.next()) {
        records.add(record);
      }
      assertThat(reader.next()).isNull();
    }
    return records;
  }

  @ParameterizedTest
  @CsvSource({"raw.tfrecord, NONE", "raw.gz.tfrecord, GZIP", "raw.zlib.tfrecord, ZLIB"})
  void shouldReadWhatTensorFlowWrites(String fixture, Compression compression) throws IOException {
    Path file = file(Fixtures.bytes(fixture));

    assertThat(readAll(file)).usingRecursiveComparison().isEqualTo(Fixtures.raw());
    assertThat(Compression.of(Fixtures.bytes(fixture))).isEqualTo(compression);
  }

  @Test
  void shouldReadConcatenatedGzipFilesAsOne() throws IOException {
    ByteArrayOutputStream twice = new ByteArrayOutputStream();
    twice.writeBytes(Fixtures.bytes("raw.gz.tfrecord"));
    twice.writeBytes(Fixtures.bytes("raw.gz.tfrecord"));

    assertThat(readAll(file(twice.toByteArray()))).hasSize(10);
    assertThat(readAll(file(new byte[0]))).isEmpty();
  }

  @Test
  void shouldTakeAPlainFileForPlainThatBeginsLikeACompressedOne() throws IOException {
    // Lengths whose first two bytes are those of gzip, and of zlib.
    for (int length : new int[] {0x8b1f, 0x0178}) {
      Path file = Fixtures.write(directory.resolve("x"), List.of(new byte[length]));

      assertThat(readAll(file)).singleElement().satisfies(read -> assertThat(read).hasSize(length));
    }
  }

  @Test
  void shouldPassOverRecords() throws IOException {
    try (TfRecordReader reader = open(file(Fixtures.bytes("raw.gz.tfrecord")))) {
      assertThat(reader.skip()).isTrue();
      assertThat(reader.skip()).isTrue();
      assertThat(reader.describe()).contains("record 2 at offset " + (16 + 5 + 16));
      assertThat(reader.next()).hasSize(3000);
      assertThat(reader.skip()).isTrue();
      assertThat(reader.skip()).isTrue();
      assertThat(reader.skip()).isFalse();
    }
  }

  @Test
  void shouldGoOnBehindARecordWhoseDataIsDamaged() throws IOException {
    byte[] bytes = Fixtures.bytes("raw.tfrecord");
    bytes[HEADER + 2] ^= 1;
    try (TfRecordReader reader = open(file(bytes))) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("x.tfrecord, record 0 at offset 0", "checksum of the data");
      assertThat(reader.next()).isEmpty();
      assertThat(reader.next()).hasSize(3000);
    }
  }

  @Test
  void shouldGiveDamagedDataWhereChecksumsAreNotVerified() throws IOException {
    byte[] bytes = Fixtures.bytes("raw.tfrecord");
    bytes[HEADER] = 'F';
    try (TfRecordReader reader = TfRecordReader.open(file(bytes), false, 5000)) {
      assertThat(reader.next()).isEqualTo("First".getBytes(UTF_8));
    }
  }

  @Test
  void shouldEndBehindADamagedLength() throws IOException {
    byte[] bytes = Fixtures.bytes("raw.tfrecord");
    bytes[16 + 5] ^= 1;
    try (TfRecordReader reader = open(file(bytes))) {
      reader.next();
      assertThatThrownBy(reader::next)
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("record 1 at offset 21", "checksum of the length");
      assertThat(reader.next()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 11, 12, 15, 20, 22, 36, 40, 3000, 3109})
  void shouldSayWhereAFileIsCutOff(int length) throws IOException {
    byte[] bytes = Arrays.copyOf(Fixtures.bytes("raw.tfrecord"), length);

    assertThatThrownBy(() -> readAll(file(bytes)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("x.tfrecord, record ")
        .hasMessageContaining("the file ends");
  }

  @ParameterizedTest
  @CsvSource({
    "raw.gz.tfrecord, 1",
    "raw.gz.tfrecord, 30",
    "raw.gz.tfrecord, 380",
    "raw.zlib.tfrecord, 1",
    "raw.zlib.tfrecord, 30",
    "raw.zlib.tfrecord, 360"
  })
  void shouldRefuseACompressedFileThatIsCutOff(String fixture, int length) throws IOException {
    byte[] bytes = Arrays.copyOf(Fixtures.bytes(fixture), length);

    assertThatThrownBy(() -> readAll(file(bytes)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("x.tfrecord");
  }

  @Test
  void shouldRefuseCompressedDataThatIsDamaged() throws IOException {
    byte[] bytes = Fixtures.bytes("raw.gz.tfrecord");
    for (int i = 200; i < 230; i++) {
      bytes[i] = (byte) 0xa5;
    }

    assertThatThrownBy(() -> readAll(file(bytes)))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("x.tfrecord, record", "of what it inflates to");
  }

  @Test
  void shouldNotTakeMemoryForALengthThatIsALie() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(RecordLayout.header(1 << 30));
    bytes.writeBytes(new byte[10]);

    assertThatThrownBy(() -> readAll(file(bytes.toByteArray())))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("the file ends 10 bytes behind the header");
  }

  @ParameterizedTest
  @ValueSource(longs = {1001, Integer.MAX_VALUE, 1L << 40, -1, Long.MIN_VALUE})
  void shouldRefuseRecordsThatAreLongerThanAllowed(long length) throws IOException {
    Path file = file(RecordLayout.header(length));
    try (TfRecordReader reader = TfRecordReader.open(file, true, 1000)) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(Long.toUnsignedString(length), "maxSampleBytes = 1000");
    }
  }

  /** 64 MiB of zeros, which gzip makes 64 KiB of. */
  @Test
  void shouldStopWhereAFileInflatesToMoreThanAllowed() throws IOException {
    Path file = directory.resolve("bomb");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(RecordLayout.header(1 << 26));
      for (int i = 0; i < 64; i++) {
        out.write(new byte[1 << 20]);
      }
    }
    try (TfRecordReader reader = TfRecordReader.open(file, true, 1 << 20)) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("maxSampleBytes");
    }
  }

  @Test
  void shouldRefuseToReadAfterItWasClosed() throws IOException {
    TfRecordReader reader = open(file(Fixtures.bytes("raw.tfrecord")));
    reader.close();
    reader.close();

    assertThatThrownBy(reader::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }
}
