package io.feedline.formats.store.internal.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.store.FormatException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void shouldLeaveOutTheFilesThatLieBesideShards() throws IOException {
    for (String name :
        List.of("n-1", "n-0", "n-0.tfindex", ".n-2", "n.classes.json", "n.partial.lock")) {
      Files.createFile(directory.resolve(name));
    }
    assertThat(ShardSet.matching(directory.resolve("*n*")))
        .containsExactly(directory.resolve("n-0"), directory.resolve("n-1"));
    assertThat(ShardSet.matching(directory.resolve("[n"))).isEmpty();
  }
}
