package io.feedline.formats.tfrecord;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TfRecordStreamTest {

  @TempDir private Path directory;

  private static <T> List<T> readAll(IterableDataset<T> dataset) throws Exception {
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
    try (SampleStream<byte[]> stream = TfRecordFiles.of(file).stream().open(0, 0)) {
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

    List<LabeledImage> streamed = readAll(builder.stream());

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

    assertThat(readAll(builder.stream()))
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
    assertThat(readAll(TfRecordFiles.of(file).stream())).hasSize(10);

    byte[] damaged = Files.readAllBytes(file);
    damaged[member.length + at] ^= 1;
    Files.write(file, damaged);
    assertThatThrownBy(() -> readAll(TfRecordFiles.of(file).stream()))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("two.tfrecord.gz", "gzip member");
  }

  @Test
  void shouldDecodeAsItIsTold() throws Exception {
    Fixtures.copy(directory, Fixtures.SHARDS);
    DecodeOptions small = DecodeOptions.DEFAULT.withMaxPixels(20);

    assertThatThrownBy(
            () -> readAll(TfRecordDataset.images(directory.resolve("train-*")).stream(small)))
        .hasMessageContaining("maxPixels = 20");
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw.tfrecord", "raw.gz.tfrecord"})
  void shouldLeaveOutRecords(String fixture) throws Exception {
    Path file = Fixtures.copy(directory, List.of(fixture));
    try (SampleStream<byte[]> stream = TfRecordFiles.of(file).stream().open(0, 0)) {
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
    try (SampleStream<byte[]> stream = TfRecordFiles.of(file).stream().open(0, 0)) {
      assertThatThrownBy(stream::next)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("record 0");
      assertThat(stream.skip(10)).isEqualTo(4);
    }
    try (SampleStream<byte[]> resumed = TfRecordFiles.of(file).stream().open(0, 0)) {
      assertThat(resumed.skip(1)).isEqualTo(1);
      assertThat(resumed.next().get(new SampleContext(0, 0, 1))).isEmpty();
    }
  }

  @Test
  void shouldCountWhatItCannotReadBeyondAsTheLastSample() throws Exception {
    byte[] bytes = Fixtures.bytes("raw.tfrecord");
    bytes[21 + 8] ^= 1;
    Path file = Files.write(directory.resolve("x"), bytes);
    try (SampleStream<byte[]> stream = TfRecordFiles.of(file).stream().open(0, 0)) {
      assertThat(stream.skip(9)).isEqualTo(2);
      assertThat(stream.next()).isNull();
    }
  }

  @Test
  void shouldNameTheRecordThatIsNoImage() throws IOException {
    Path file = Fixtures.write(directory.resolve("x"), Fixtures.raw());

    assertThatThrownBy(() -> readAll(TfRecordDataset.images(file).stream()))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(file + ", record 0 at offset 0", "not a tf.train.Example");
  }
}
