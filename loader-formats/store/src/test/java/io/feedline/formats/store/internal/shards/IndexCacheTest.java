package io.feedline.formats.store.internal.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Indexes of shards that are far away are not kept for ever. */
class IndexCacheTest {

  private static final long NOW = 1_800_000_000_000L;

  @TempDir private Path directory;

  private Path index(int number, int bytes, long days) throws IOException {
    return file("%032x.feedline-index".formatted(number), bytes, days);
  }

  private Path file(String name, int bytes, long days) throws IOException {
    Path file = Files.write(directory.resolve(name), new byte[bytes]);
    FileTime used = FileTime.fromMillis(NOW - TimeUnit.DAYS.toMillis(days));
    return Files.setLastModifiedTime(file, used);
  }

  @ParameterizedTest
  @CsvSource({
    "00000000000000000000000000000001.feedline-index, 100, false",
    "00000000000000000000000000000001.feedline-index, 80, true",
    "00000000000000000000000000000001.scan-index, 100, false",
    "00000000000000000000000000000001.scan-index, 80, true",
    ".00000000000000000000000000000001.feedline-index.0123abcd.partial, 2, false",
    ".00000000000000000000000000000001.feedline-index.0123abcd.partial, 0, true",
    "notes.txt, 1000, true",
    "mine.feedline-index, 1000, true",
  })
  void shouldDeleteIndexesNotOpenedForMonthsAndUnfinishedFiles(String name, int days, boolean kept)
      throws IOException {
    Path file = file(name, 10, days);
    IndexCache.prune(directory, NOW, 1000);
    assertThat(Files.exists(file)).isEqualTo(kept);
  }

  @Test
  void shouldDeleteWhatWasOpenedLongestAgoUntilTheLimitHolds() throws IOException {
    Path[] indexes = new Path[6];
    for (int i = 0; i < 6; i++) {
      indexes[i] = index(i, 100, 10 - i);
    }
    IndexCache.prune(directory, NOW, 300);
    assertThat(Stream.of(indexes).map(Files::exists))
        .containsExactly(false, false, false, true, true, true);
  }

  @Test
  void shouldKeepWhatWasOpenedTodayHoweverMuchItIs() throws IOException {
    Path used = index(1, 1000, 0);
    Path before = index(2, 10, 2);
    IndexCache.prune(directory, NOW, 100);
    assertThat(used).exists();
    assertThat(before).doesNotExist();
  }

  @Test
  void shouldLeaveOtherFilesAlone() throws IOException {
    Path inside = Files.createDirectory(directory.resolve("%032x.feedline-index".formatted(7)));
    Path target = file("target", 10, 1000);
    Path link =
        Files.createSymbolicLink(directory.resolve("%032x.feedline-index".formatted(8)), target);
    IndexCache.prune(directory, NOW, 0);
    assertThat(inside).exists();
    assertThat(link).exists();
  }

  @Test
  void shouldNoteThatAnIndexIsUsed() throws IOException {
    Path index = index(1, 10, 100);
    IndexCache.used(index);
    IndexCache.prune(directory, System.currentTimeMillis(), 100);
    assertThat(index).exists();
    IndexCache.used(directory.resolve("absent")); // deleted by another process meanwhile
  }

  @Test
  void shouldEndQuietlyWhereTheDirectoryIsGone() {
    IndexCache.prune(directory.resolve("absent"), NOW, 0);
    assertThat(directory.resolve("absent")).doesNotExist();
  }
}
