package io.feedline.formats.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.store.internal.SmallDisk;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private TfRecordWriter.Builder builder() {
    return TfRecordWriter.builder(directory.resolve("out/train"));
  }

  private static byte[] record(int i) {
    byte[] record = new byte[10 + i % 3];
    Arrays.fill(record, (byte) i);
    return record;
  }

  private static void write(TfRecordWriter writer, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      assertThat(writer.written()).isEqualTo(i);
      writer.write(record(i));
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("out"))) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private List<Long> shardSizes(String pattern, int expected) throws IOException {
    List<Long> sizes = new ArrayList<>();
    TfRecordFiles files =
        TfRecordFiles.builder(directory.resolve("out").resolve(pattern)).keepIndex(false).build();
    try (TfRecordDataset dataset = TfRecordDataset.open(files)) {
      assertThat(dataset.size()).isEqualTo(expected);
      for (int i = 0; i < expected; i++) {
        assertThat(dataset.get(i)).isEqualTo(record(i));
      }
      for (int shard = 0; shard < dataset.shards(); shard++) {
        sizes.add(dataset.shardSize(shard));
      }
    }
    return sizes;
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
    try (TfRecordWriter writer = builder().shards(shards, announced).build()) {
      write(writer, 0, written);
      writer.commit();
    }

    assertThat(shardSizes("train-*", written)).asString().isEqualTo("[" + sizes + "]");
    assertThat(files()).hasSize(shards).allMatch(name -> name.endsWith("-of-0000" + shards));
  }

  @Test
  void shouldEndAShardBeforeItBecomesTooLarge() throws IOException {
    try (TfRecordWriter writer = builder().shardBytes(16 * 3 + 10 + 11 + 12).build()) {
      write(writer, 0, 7);
      writer.commit();
    }

    assertThat(shardSizes("train-*", 7)).containsExactly(3L, 3L, 1L);
  }

  @Test
  void shouldGiveARecordThatIsLargerThanAShardOneOfItsOwn() throws IOException {
    try (TfRecordWriter writer = builder().shardBytes(1).build()) {
      write(writer, 0, 3);
      writer.commit();
    }

    assertThat(shardSizes("train-*", 3)).containsExactly(1L, 1L, 1L);
  }

  @Test
  void shouldWriteOneFileOfItsName() throws IOException {
    try (TfRecordWriter writer = builder().oneFile().build()) {
      write(writer, 0, 4);
      assertThat(files()).containsExactly("train.partial");
      writer.commit();
    }

    assertThat(files()).containsExactly("train");
    assertThat(shardSizes("train", 4)).containsExactly(4L);
  }

  @Test
  void shouldWriteTheBytesThatTensorFlowWrites() throws IOException {
    try (TfRecordWriter writer = builder().oneFile().build()) {
      for (byte[] record : Fixtures.raw()) {
        writer.write(record);
      }
      writer.commit();
    }

    assertThat(directory.resolve("out/train")).hasBinaryContent(Fixtures.bytes("raw.tfrecord"));
  }

  @Test
  void shouldWriteRecordsThatAreLargerThanItsBuffer() throws IOException {
    byte[] large = new byte[1_000_000];
    Arrays.fill(large, (byte) 5);
    try (TfRecordWriter writer = builder().oneFile().build()) {
      writer.write(large);
      writer.commit();
    }

    try (TfRecordReader reader = TfRecordReader.open(directory.resolve("out/train"))) {
      assertThat(reader.next()).isEqualTo(large);
    }
  }

  @Test
  void shouldLookUnfinishedUntilItIsCommitted() throws IOException {
    try (TfRecordWriter writer = builder().shards(2, 4).build()) {
      write(writer, 0, 4);
    }

    assertThat(files()).containsExactly("train-00000.partial", "train-00001.partial");
    assertThatThrownBy(() -> TfRecordDataset.of(directory.resolve("out/train-*")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shards", "size", "one"})
  void shouldGoOnWhereItWasInterrupted(String division) throws IOException {
    for (int stop : new int[] {0, 1, 3, 4, 8, 9}) {
      try (TfRecordWriter writer = division(division).build()) {
        write(writer, Math.toIntExact(writer.written()), stop);
      }
    }
    try (TfRecordWriter writer = division(division).build()) {
      write(writer, 9, 10);
      writer.commit();
    }

    shardSizes(division.equals("one") ? "train" : "train-*", 10);
    assertThat(files()).noneMatch(name -> name.endsWith(".partial"));
  }

  private TfRecordWriter.Builder division(String division) {
    return switch (division) {
      case "shards" -> builder().shards(3, 10);
      case "size" -> builder().shardBytes(60);
      default -> builder().oneFile();
    };
  }

  /** Whatever a crash left behind the last whole record. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 12, 13, 20, 26})
  void shouldCutATornTail(int cut) throws IOException {
    try (TfRecordWriter writer = builder().oneFile().build()) {
      write(writer, 0, 5);
    }
    Path partial = directory.resolve("out/train.partial");
    byte[] bytes = Files.readAllBytes(partial);
    Files.write(partial, Arrays.copyOf(bytes, bytes.length - cut));

    try (TfRecordWriter writer = builder().oneFile().build()) {
      write(writer, 4, 6);
      writer.commit();
    }

    assertThat(shardSizes("train", 6)).containsExactly(6L);
  }

  @Test
  void shouldCutATailOfZerosThatAFileSystemLeft() throws IOException {
    try (TfRecordWriter writer = builder().oneFile().build()) {
      write(writer, 0, 2);
    }
    Path partial = directory.resolve("out/train.partial");
    byte[] bytes = Files.readAllBytes(partial);
    Arrays.fill(bytes, 40, bytes.length, (byte) 0);
    Files.write(partial, bytes);

    try (TfRecordWriter writer = builder().oneFile().build()) {
      assertThat(writer.written()).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseToContinueWithOtherShards() throws IOException {
    try (TfRecordWriter writer = builder().shards(2, 10).build()) {
      write(writer, 0, 7);
    }

    assertThatThrownBy(() -> builder().shards(5, 10).build())
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("train-00000.partial has 5 records", "5 shards for 10 records");
    assertThatThrownBy(() -> builder().shards(1, 10).build()).isInstanceOf(IOException.class);
  }

  @Test
  void shouldRefuseToContinueWhereAShardIsMissing() throws IOException {
    try (TfRecordWriter writer = builder().shardBytes(1).build()) {
      write(writer, 0, 3);
    }
    Files.delete(directory.resolve("out/train-00001.partial"));

    assertThatThrownBy(() -> builder().shardBytes(1).build())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is there without train-00001.partial");
  }

  @Test
  void shouldRefuseToOverwriteADataset() throws IOException {
    try (TfRecordWriter writer = builder().shards(2, 4).build()) {
      write(writer, 0, 4);
      writer.commit();
    }

    assertThatThrownBy(() -> builder().build())
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("there already");
  }

  @Test
  void shouldFinishACommitThatWasInterrupted() throws IOException {
    try (TfRecordWriter writer = builder().shards(3, 9).build()) {
      write(writer, 0, 9);
    }
    Path out = directory.resolve("out");
    Files.move(out.resolve("train-00000.partial"), out.resolve("train-00000-of-00003"));

    try (TfRecordWriter writer = builder().shards(3, 9).build()) {
      assertThat(writer.written()).isEqualTo(9);
      assertThatThrownBy(() -> writer.write(record(9)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nothing can be added");
      writer.commit();
    }

    assertThat(shardSizes("train-*", 9)).containsExactly(3L, 3L, 3L);
  }

  @Test
  void shouldRefuseToContinueADatasetOfWhichShardsAreMissing() throws IOException {
    try (TfRecordWriter writer = builder().shards(3, 9).build()) {
      write(writer, 0, 9);
      writer.commit();
    }
    Files.delete(directory.resolve("out/train-00002-of-00003"));

    assertThatThrownBy(() -> builder().build())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("train-00002.partial is missing");
  }

  @Test
  void shouldRefuseASecondWriterOfTheSameShards() throws IOException {
    try (TfRecordWriter writer = builder().build()) {
      assertThatThrownBy(() -> builder().build())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("being written by another");
      write(writer, 0, 1);
    }
  }

  @Test
  void shouldRefuseToWriteWhenItIsCommittedOrClosed() throws IOException {
    TfRecordWriter writer = builder().build();
    writer.commit();
    assertThatThrownBy(() -> writer.write(record(0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("committed already");
    assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
    writer.close();
    writer.close();
    assertThatThrownBy(() -> writer.write(record(0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void shouldRefuseImpossibleDivisions() {
    assertThatThrownBy(() -> builder().shards(0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was 0");
    assertThatThrownBy(() -> builder().shards(1, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was -1");
    assertThatThrownBy(() -> builder().shardBytes(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was 0");
    assertThatThrownBy(() -> builder().shardBytes(5).oneFile())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("choose one");
  }

  @Test
  void shouldKeepWhatIsWholeWhenTheDiskIsFull() throws IOException {
    Path out = Files.createDirectories(directory.resolve("out"));
    try (SmallDisk disk = SmallDisk.mount(out, 64)) {
      byte[] large = new byte[10_000];
      try (TfRecordWriter writer = builder().oneFile().build()) {
        long written = fill(writer, large);
        assertThat(writer.written()).isEqualTo(written);
        // What is smaller still has room: the shard ends with a whole record.
        writer.write(new byte[100]);
      }
      try (TfRecordWriter writer = builder().oneFile().build()) {
        assertThat(writer.written()).isEqualTo(7);
        writer.commit();
      }
      assertThat(disk).isNotNull();
    }
  }

  private static long fill(TfRecordWriter writer, byte[] record) throws IOException {
    for (long i = 0; ; i++) {
      try {
        writer.write(record);
      } catch (IOException full) {
        assertThat(full)
            .hasMessageContainingAll(
                "record " + i + ", of 10000 bytes", "train.partial", "at offset " + i * 10_016);
        return i;
      }
    }
  }
}
