package io.feedline.formats.tfrecord;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.internal.Cancellation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
  void shouldTakeAPlainFileForPlainThatBeginsLikeACompressedOne() throws IOException {
    assertThat(readAll(file(new byte[0]))).isEmpty();
    // Lengths whose first two bytes are those of gzip, and of zlib.
    for (int length : new int[] {0x8b1f, 0x0178}) {
      Path file = Fixtures.write(directory.resolve("x"), List.of(new byte[length]));

      assertThat(readAll(file)).singleElement().satisfies(read -> assertThat(read).hasSize(length));
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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldEndBehindADamagedLength(boolean skips) throws IOException {
    byte[] bytes = Fixtures.bytes("raw.tfrecord");
    bytes[16 + 5] ^= 1;
    try (TfRecordReader reader = open(file(bytes))) {
      assertThat(skips ? reader.skip() : reader.next().length == 5).isTrue();
      refused(
          FormatException.class, reader::next, "record 1 at offset 21", "checksum of the length");
      assertThat(reader.next()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 11, 12, 15, 20, 22, 36, 40, 3000, 3109})
  void shouldSayWhereAFileIsCutOff(int length) throws IOException {
    byte[] bytes = Arrays.copyOf(Fixtures.bytes("raw.tfrecord"), length);

    refused(
        FormatException.class, () -> readAll(file(bytes)), "x.tfrecord, record ", "the file ends");
  }

  @ParameterizedTest
  @CsvSource({"raw.gz.tfrecord, 1", "raw.gz.tfrecord, 380", "raw.zlib.tfrecord, 360"})
  void shouldRefuseACompressedFileThatIsCutOff(String fixture, int length) throws IOException {
    byte[] bytes = Arrays.copyOf(Fixtures.bytes(fixture), length);

    refused(FormatException.class, () -> readAll(file(bytes)), "x.tfrecord");
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
      refused(FormatException.class, reader::next, "maxSampleBytes");
    }
  }

  @Test
  void shouldRefuseToReadAfterItWasClosed() throws IOException {
    TfRecordReader reader = open(file(Fixtures.bytes("raw.tfrecord")));
    reader.close();
    reader.close();

    refused(IllegalStateException.class, reader::next, "closed");
  }

  private static <T> List<T> streamed(IterableDataset<T> dataset) throws Exception {
    List<T> samples = new ArrayList<>();
    for (int shard = 0; shard < dataset.shards(); shard++) {
      try (SampleStream<T> stream = dataset.open(shard, 0)) {
        for (PendingSample<T> next = stream.next(); next != null; next = stream.next()) {
          samples.add(next.get(new SampleContext(0, 0, samples.size())));
        }
      }
    }
    return samples;
  }

  @Test
  void shouldLeaveOutNoMoreRecordsWhereItsEpochHasBeenLeft() throws Exception {
    Path file = Fixtures.copy(directory, List.of("raw.tfrecord"));
    try (SampleStream<byte[]> stream = TfRecordDataset.builder(file).stream().open(0, 0)) {
      Cancellation before = new Cancellation(() -> true, false).enter();
      try {
        assertThatThrownBy(() -> stream.skip(1)).isInstanceOf(InterruptedException.class);
      } finally {
        before.enter();
      }
      assertThat(stream.skip(1)).isEqualTo(1);
    }
  }

  @Test
  void shouldGiveTheSameImagesAsInAnyOrder() throws Exception {
    Fixtures.copy(directory, Fixtures.SHARDS);
    TfRecordDataset.ImagesBuilder builder =
        TfRecordDataset.images(directory.resolve("train-*")).firstLabel(1);

    List<LabeledImage> streamed = streamed(builder.stream());

    assertThat(streamed).hasSize(7);
    try (ImageDataset images = builder.build()) {
      for (int i = 0; i < 7; i++) {
        LabeledImage expected = images.get(i);
        assertThat(streamed.get(i).label()).isEqualTo(expected.label());
        assertThat(streamed.get(i).image().pixels().rgb())
            .isEqualTo(expected.image().pixels().rgb());
      }
    }
  }

  @Test
  void shouldGiveTheImagesOfCompressedShards() throws Exception {
    for (String shard : Fixtures.SHARDS) {
      byte[] packed = FixtureFiles.gzip(Fixtures.bytes(shard));
      Files.write(directory.resolve(shard + ".gz"), packed);
    }
    TfRecordDataset.ImagesBuilder builder =
        TfRecordDataset.images(directory.resolve("train-*")).firstLabel(1);

    assertThat(streamed(builder.stream()))
        .extracting(image -> image.label() + 1)
        .isEqualTo(Fixtures.images().stream().map(Fixtures.Fixture::label).toList());
  }

  /** Records have checksums, and nothing says how many there are. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void shouldRefuseAFileWhoseSecondGzipMemberIsDamaged(int at) throws Exception {
    byte[] member = Fixtures.bytes("raw.gz.tfrecord");
    Path file = Files.write(directory.resolve("two.tfrecord.gz"), member);
    Files.write(file, member, StandardOpenOption.APPEND);
    assertThat(streamed(TfRecordDataset.builder(file).stream())).hasSize(10);

    byte[] damaged = Files.readAllBytes(file);
    damaged[member.length + at] ^= 1;
    Files.write(file, damaged);
    assertThatThrownBy(() -> streamed(TfRecordDataset.builder(file).stream()))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("two.tfrecord.gz", "gzip member");
  }

  @Test
  void shouldDecodeAsItIsTold() throws Exception {
    Fixtures.copy(directory, Fixtures.SHARDS);
    DecodeOptions small = DecodeOptions.DEFAULT.withMaxPixels(20);

    assertThatThrownBy(
            () -> streamed(TfRecordDataset.images(directory.resolve("train-*")).stream(small)))
        .hasMessageContaining("maxPixels = 20");
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw.tfrecord", "raw.gz.tfrecord"})
  void shouldLeaveOutRecords(String fixture) throws Exception {
    Path file = Fixtures.copy(directory, List.of(fixture));
    try (SampleStream<byte[]> stream = TfRecordDataset.builder(file).stream().open(0, 0)) {
      assertThat(stream.skip(2)).isEqualTo(2);
      assertThat(stream.next().get(new SampleContext(0, 0, 2))).hasSize(3000);
      assertThat(stream.skip(5)).isEqualTo(2);
      assertThat(stream.next()).isNull();
    }
  }

  @Test
  void shouldPutAnExceptionInThePlaceOfADamagedRecord() throws Exception {
    byte[] bytes = Fixtures.bytes("raw.tfrecord");
    bytes[RecordLayout.HEADER_BYTES] ^= 1;
    Path file = Files.write(directory.resolve("x"), bytes);
    try (SampleStream<byte[]> stream = TfRecordDataset.builder(file).stream().open(0, 0)) {
      refused(FormatException.class, stream::next, "record 0");
      assertThat(stream.skip(10)).isEqualTo(4);
    }
    try (SampleStream<byte[]> resumed = TfRecordDataset.builder(file).stream().open(0, 0)) {
      assertThat(resumed.skip(1)).isEqualTo(1);
      assertThat(resumed.next().get(new SampleContext(0, 0, 1))).isEmpty();
    }
  }

  @Test
  void shouldCountWhatItCannotReadBeyondAsTheLastSample() throws Exception {
    byte[] bytes = Fixtures.bytes("raw.tfrecord");
    bytes[21 + 8] ^= 1;
    Path file = Files.write(directory.resolve("x"), bytes);
    try (SampleStream<byte[]> stream = TfRecordDataset.builder(file).stream().open(0, 0)) {
      assertThat(stream.skip(9)).isEqualTo(2);
      assertThat(stream.next()).isNull();
    }
  }

  @Test
  void shouldNameTheRecordThatIsNoImage() throws IOException {
    Path file = Fixtures.write(directory.resolve("x"), Fixtures.raw());

    assertThatThrownBy(() -> streamed(TfRecordDataset.images(file).stream()))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(file + ", record 0 at offset 0", "not a tf.train.Example");
  }
}
