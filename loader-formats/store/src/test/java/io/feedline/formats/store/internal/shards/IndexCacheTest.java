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

  @Test
  void shouldDeleteWhatNobodyHasOpenedForMonths() throws IOException {
    Path old = index(1, 10, 100);
    Path recent = index(2, 10, 80);
    Path oldOfImages = file("%032x.scan-index".formatted(3), 10, 100);
    Path recentOfImages = file("%032x.scan-index".formatted(4), 10, 80);
    IndexCache.prune(directory, NOW, 1000);
    assertThat(old).doesNotExist();
    assertThat(recent).exists();
    assertThat(oldOfImages).doesNotExist();
    assertThat(recentOfImages).exists();
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
  void shouldDeleteWhatAKilledProcessHasLeftUnfinished() throws IOException {
    Path left = file(".%032x.feedline-index.0123abcd.partial".formatted(3), 10, 2);
    Path writing = file(".%032x.feedline-index.0123abce.partial".formatted(3), 10, 0);
    IndexCache.prune(directory, NOW, 1000);
    assertThat(left).doesNotExist();
    assertThat(writing).exists();
  }

  @Test
  void shouldLeaveOtherFilesAlone() throws IOException {
    Path other = file("notes.txt", 1000, 1000);
    Path named = file("mine.feedline-index", 1000, 1000);
    Path inside = Files.createDirectory(directory.resolve("%032x.feedline-index".formatted(7)));
    Path target = file("target", 10, 1000);
    Path link =
        Files.createSymbolicLink(directory.resolve("%032x.feedline-index".formatted(8)), target);
    IndexCache.prune(directory, NOW, 0);
    assertThat(other).exists();
    assertThat(named).exists();
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
