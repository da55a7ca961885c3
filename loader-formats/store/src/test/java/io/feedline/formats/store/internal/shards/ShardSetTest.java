package io.feedline.formats.store.internal.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardSetTest {

  @TempDir private Path directory;

  @Test
  void shouldTellSetsOfOneNameInTwoDirectoriesApart() throws IOException {
    Path first = Path.of("a");
    Path second = Path.of("b");
    ShardSet.requireComplete(
        List.of(
            first.resolve("n-00000-of-00001"),
            second.resolve("n-00000-of-00002"),
            second.resolve("n-00001-of-00002")));
    assertThatThrownBy(
            () ->
                ShardSet.requireComplete(
                    List.of(first.resolve("n-00000-of-00002"), second.resolve("n-00001-of-00002"))))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("a/n-*: 1 of 2 shards are missing: [1]");
  }

  @Test
  void shouldNoticeAFileThatIsGivenByTwoPaths() {
    Path file = Path.of("n-00000-of-00001");
    for (Path again : List.of(file.toAbsolutePath(), Path.of("x", "..").resolve(file))) {
      assertThatThrownBy(() -> ShardSet.requireComplete(List.of(file, again)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(again + " is given twice");
    }
  }

  @Test
  void shouldRefuseADirectoryWithTheShardsOfSeveralSplits() throws IOException {
    List<Path> train =
        List.of(
            directory.resolve("train-00000-of-00002.parquet"),
            directory.resolve("train-00001-of-00002.parquet"));
    ShardSet.requireOneSplit(directory, train, true);
    List<Path> both =
        List.of(train.get(0), train.get(1), directory.resolve("test-00000-of-00001.parquet"));
    assertThatThrownBy(() -> ShardSet.requireOneSplit(directory, both, true))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("[test, train]", "such as " + directory.resolve("test-*.parquet"));
  }

  private List<Path> files(String names) {
    return Stream.of(names.split(" ")).map(directory::resolve).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "train-000000.tar train-000001.tar val-000000.tar, train-*.tar",
    "train.csv test.csv, test.csv",
    "my_Train_1.csv my_Train_2.csv my_Dev_1.csv, my_Dev_1.csv",
    "trainSet.tar valSet.tar, trainSet.tar",
    "train2017.zip val2017.zip, train2017.zip",
    "training.parquet validation.parquet, training.parquet",
    "cifar-eval.tfrecord cifar-train.tfrecord, cifar-eval.tfrecord",
    "extra.parquet train.parquet, train.parquet",
    "data.csv testing.csv, testing.csv",
    "mnist-test.tfrecord-00000-of-00001 mnist-train.tfrecord-00000-of-00001, mnist-test.tfrecord-*",
    "a-00000-of-00001.tar data.tar, a-*.tar",
  })
  void shouldRefuseSeveralSplitsAndNameAWayToChoose(String names, String way) {
    assertThatThrownBy(() -> ShardSet.requireOneSplit(directory, files(names), false))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("several splits", "such as " + directory.resolve(way));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "part-00000-1a2b-c000.snappy.parquet part-00001-1a2b-c000.snappy.parquet",
        "0000.parquet 0001.parquet",
        "cats.csv dogs.csv",
        "train-a.csv train-b.csv train-000.csv",
        "2023-01.csv 2023-02.csv",
        "contest.csv latest.csv",
        "cat-000.tar dog-000.tar",
        "train-00000-of-00002-0123456789abcdef.parquet train-00001-of-00002-fedcba9876543210.parquet"
      })
  void shouldTakeFilesOfOneSplit(String names) throws IOException {
    ShardSet.requireOneSplit(directory, files(names), false);
    ShardSet.requireComplete(files(names));
  }

  @Test
  void shouldTellDirectoriesOfSplitsFromClasses() throws IOException {
    ShardSet.requireNoSplits(directory, List.of("bus", "train", "car", "12"), "");
    assertThatThrownBy(
            () -> ShardSet.requireNoSplits(directory, List.of("train", "val", "notes"), "..."))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("[train, val]", "such as " + directory.resolve("train"));
  }

  @Test
  void shouldLeaveOutTheFilesThatLieBesideShards() throws IOException {
    for (String name :
        List.of("n-1", "n-0", "n-0.tfindex", ".n-2", "n.classes.json", "n.partial.lock")) {
      Files.createFile(directory.resolve(name));
    }
    Files.createDirectory(directory.resolve("n-3"));
    assertThat(ShardSet.matching(directory.resolve("*n*")))
        .containsExactly(directory.resolve("n-0"), directory.resolve("n-1"));
    assertThat(ShardSet.matching(directory.resolve("[n"))).isEmpty();
  }

  @Test
  void shouldFindEachSampleWhateverShardsAreEmpty() {
    Shards shards = Shards.of(0, 0, 2, 0, 0, 0, 1, 3, 0, 0);
    assertThat(shards.count()).isEqualTo(10);
    assertThat(shards.samples()).isEqualTo(6);
    assertThat(shards.sizes()).containsExactly(0, 0, 2, 0, 0, 0, 1, 3, 0, 0);
    List<String> places = new ArrayList<>();
    for (long index = 0; index < shards.samples(); index++) {
      int shard = shards.shardOf(index);
      places.add(shard + "/" + shards.indexIn(shard, index));
    }
    assertThat(places).containsExactly("2/0", "2/1", "6/0", "7/0", "7/1", "7/2");
    assertThat(Shards.of(1, 0, 0, 0, 0, 0, 0, 1).shardOf(1)).isEqualTo(7);
    for (long none : new long[] {-1, 6}) {
      assertThatThrownBy(() -> shards.shardOf(none)).isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThatThrownBy(() -> Shards.of().shardOf(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
