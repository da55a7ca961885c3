package io.feedline.formats.tfrecord;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TfRecordWriterTest {

  @TempDir private Path directory;

  private Path out() {
    return directory.resolve("out");
  }

  private TfRecordDataset.WriterBuilder builder() {
    return TfRecordDataset.writer(out()).name("train");
  }

  private static byte[] record(int i) {
    byte[] record = new byte[10 + i % 3];
    Arrays.fill(record, (byte) i);
    return record;
  }

  private static void write(StoreWriter<byte[]> writer, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      assertThat(writer.written()).isEqualTo(i);
      writer.write(record(i));
    }
  }

  private static void writeAll(TfRecordDataset.WriterBuilder builder, int records)
      throws IOException {
    try (StoreWriter<byte[]> writer = builder.open()) {
      write(writer, 0, records);
      writer.commit();
    }
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private long[] shardSizes(String pattern, int expected) throws IOException {
    TfRecordDataset.Builder files =
        TfRecordDataset.builder(out().resolve(pattern)).keepIndex(false);
    try (TfRecordDataset dataset = files.build()) {
      assertThat(dataset.size()).isEqualTo(expected);
      for (int i = 0; i < expected; i++) {
        assertThat(dataset.get(i)).isEqualTo(record(i));
      }
      return dataset.shardSizes();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "3, 10, 10, '3, 3, 4'",
    "3, 10, 12, '3, 3, 6'",
    "3, 10, 4, '3, 1, 0'",
    "1, 5, 5, '5'",
    "4, 2, 2, '0, 1, 0, 1'",
    "2, 0, 0, '0, 0'",
  })
  void shouldDivideRecordsAmongShardsInTheirOrder(
      int shards, int announced, int written, String sizes) throws IOException {
    writeAll(builder().shards(shards, announced), written);

    assertThat(Arrays.toString(shardSizes("train-*", written))).isEqualTo("[" + sizes + "]");
    assertThat(files(out())).hasSize(shards).allMatch(name -> name.endsWith("-of-0000" + shards));
  }

  /** Three records fill 81 bytes. */
  @ParameterizedTest
  @CsvSource({"81, '3, 3, 1'", "1, '1, 1, 1, 1, 1, 1, 1'"})
  void shouldEndAShardBeforeItBecomesTooLarge(int bytes, String sizes) throws IOException {
    writeAll(builder().shardBytes(bytes), 7);

    assertThat(Arrays.toString(shardSizes("train-*", 7))).isEqualTo("[" + sizes + "]");
  }

  @Test
  void shouldWriteOneFileOfItsName() throws IOException {
    writeAll(TfRecordDataset.writer(directory.resolve("unnamed")), 1);
    assertThat(files(directory.resolve("unnamed"))).containsExactly("data-00000-of-00001");
    writeAll(builder().oneFile(), 4);

    assertThat(files(out())).containsExactly("train.tfrecord");
    assertThat(shardSizes("train.tfrecord", 4)).containsExactly(4L);
  }

  @Test
  void shouldWriteTheBytesThatTensorFlowWrites() throws IOException {
    FixtureFiles.write(builder().oneFile().open(), Fixtures.raw());

    assertThat(out().resolve("train.tfrecord")).hasBinaryContent(Fixtures.bytes("raw.tfrecord"));
  }

  @Test
  void shouldLookUnfinishedUntilItIsCommitted() throws IOException {
    try (StoreWriter<byte[]> writer = builder().shards(2, 4).open()) {
      write(writer, 0, 4);
    }

    assertThat(files(directory)).containsExactly("out.partial", "out.partial.journal");
    assertThat(files(directory.resolve("out.partial")))
        .containsExactly("train-00000", "train-00001");
    assertThat(new TfRecordFormat().recognizes(directory.resolve("out.partial"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shards", "size", "one"})
  void shouldGoOnWhereItWasInterrupted(String division) throws IOException {
    for (int stop : new int[] {0, 1, 3, 4, 8, 9}) {
      try (StoreWriter<byte[]> writer = division(division).open()) {
        write(writer, Math.toIntExact(writer.written()), stop);
      }
    }
    try (StoreWriter<byte[]> writer = division(division).open()) {
      assertThat(writer.written())
          .isEqualTo(
              switch (division) {
                case "shards" -> 6;
                case "size" -> 8;
                default -> 0;
              });
      write(writer, Math.toIntExact(writer.written()), 10);
      writer.commit();
    }

    assertThat(shardSizes("train*", 10))
        .containsExactly(
            switch (division) {
              case "shards" -> new long[] {3, 3, 4};
              case "size" -> new long[] {2, 2, 2, 2, 2};
              default -> new long[] {10};
            });
    assertThat(files(directory)).containsExactly("out");
  }

  private TfRecordDataset.WriterBuilder division(String division) {
    return switch (division) {
      case "shards" -> builder().shards(3, 10);
      case "size" -> builder().shardBytes(60);
      default -> builder().oneFile();
    };
  }

  @Test
  void shouldRefuseToContinueWithAnotherDivision() throws IOException {
    try (StoreWriter<byte[]> writer = builder().shards(2, 10).open()) {
      write(writer, 0, 7);
    }

    for (TfRecordDataset.WriterBuilder other :
        List.of(builder().shards(5, 10), builder().shardBytes(100), builder().oneFile())) {
      refused(IOException.class, other::open, "shards was 2 for 10, is ");
    }
    assertThatThrownBy(() -> TfRecordDataset.writer(out()).shards(2, 10).open())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("name was train, is data");
  }

  /** Shards that already have their last names, but are not yet known to be complete. */
  @Test
  void shouldFinishShardsThatHaveTheirNamesAlready() throws IOException {
    Path target = Files.createDirectory(out());
    try (StoreWriter<byte[]> writer = builder().shards(3, 9).open()) {
      write(writer, 0, 9);
      Files.createFile(target.resolve("in the way"));
      assertThatThrownBy(writer::commit).isInstanceOf(FileAlreadyExistsException.class);
    }
    Files.delete(target.resolve("in the way"));
    Path journal = directory.resolve("out.partial.journal");
    List<String> lines = Files.readAllLines(journal);
    assertThat(lines.get(lines.size() - 1)).contains("complete");
    Files.writeString(journal, String.join("\n", lines.subList(0, lines.size() - 1)) + "\n");

    try (StoreWriter<byte[]> writer = builder().shards(3, 9).open()) {
      assertThat(writer.written()).isEqualTo(9);
      writer.commit();
    }

    assertThat(shardSizes("train-*", 9)).containsExactly(3L, 3L, 3L);
  }

  @Test
  void shouldRefuseImpossibleDivisionsAndNames() {
    refused(IllegalArgumentException.class, () -> builder().shards(0, 1), "was 0");
    refused(IllegalArgumentException.class, () -> builder().shards(1, -1), "was -1");
    refused(IllegalArgumentException.class, () -> builder().shardBytes(0), "was 0");
    refused(IllegalArgumentException.class, () -> builder().shardBytes(5).oneFile(), "choose one");
    for (String name : List.of("", "..", ".hidden", "a/b")) {
      refused(
          IllegalArgumentException.class, () -> builder().name(name).open(), "was '" + name + "'");
    }
  }
}
