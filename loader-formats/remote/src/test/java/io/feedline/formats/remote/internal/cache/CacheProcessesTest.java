package io.feedline.formats.remote.internal.cache;

import static io.feedline.formats.remote.internal.cache.FakeObjects.check;
import static io.feedline.formats.remote.internal.cache.FakeObjects.checkAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches that several processes share, and that processes leave in the middle of something. */
@Tag("once")
class CacheProcessesTest {

  /** {@code -Dcache.kills=100} kills more often than a build does. */
  private static final int KILLS = Integer.getInteger("cache.kills", 50);

  private static final List<String> STEPS = List.of("create", "write", "force", "move", "delete");

  @TempDir private Path temporary;

  @Test
  void shouldSurviveKillsAtAnyMoment() throws Exception {
    Path directory = temporary.resolve("cache");
    List<RemoteObject> objects = new FakeObjects().put(CacheChild.OBJECTS, CacheChild.BYTES);
    SplittableRandom random = new SplittableRandom(14);
    long hits = 0;
    for (int i = 0; i < KILLS; i++) {
      // The first steps in turn, then each kind among those by which the cache has filled.
      int step = i < 12 ? i + 1 : 13 + random.nextInt(300);
      kill(directory, step, i < 12 ? CacheChild.ANY : STEPS.get(i % STEPS.size()));
      assertThat(CachedObjectsTest.size(directory))
          .as("just after the kill at step %d", step)
          .isLessThanOrEqualTo(CacheChild.LIMIT);
      try (CachedObjects reader =
          new CachedObjects(CacheChild.cache(directory), new FakeObjects())) {
        assertThat(parts(directory)).as("left by the kill at step %d", step).isEmpty();
        checkAll(reader, objects);
        assertThat(reader.stats().broken()).as("after the kill at step %d", step).isZero();
        hits += reader.stats().hits();
      }
      assertThat(CachedObjectsTest.entries(directory)).hasSize(10);
      CacheDirectory measured = CacheDirectory.open(directory, new CacheDisk());
      try {
        assertThat(measured.measure())
            .isEqualTo(CacheDirectory.OVERHEAD + 10 * CacheDirectory.cost(CacheChild.BYTES));
      } finally {
        measured.close();
      }
    }
    assertThat(hits).isPositive();
  }

  private static void kill(Path directory, int step, String name) throws Exception {
    Process child = CacheChild.start(directory, step, name, Integer.MAX_VALUE);
    try (BufferedReader output = CacheChild.output(child)) {
      assertThat(output.readLine()).startsWith(name.equals(CacheChild.ANY) ? "at " : "at " + name);
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private static List<Path> parts(Path directory) throws Exception {
    try (var files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(CacheDirectory.PART)).toList();
    }
  }

  @Test
  void shouldShareADirectoryAmongProcesses() throws Exception {
    Path directory = temporary.resolve("cache");
    List<Process> children = new ArrayList<>();
    FakeObjects origin = new FakeObjects();
    List<RemoteObject> objects = origin.put(CacheChild.OBJECTS, CacheChild.BYTES);
    try (CachedObjects reader = new CachedObjects(CacheChild.cache(directory), origin)) {
      CacheDirectory watched = CacheDirectory.open(directory, new CacheDisk());
      try {
        children.add(CacheChild.start(directory, CacheChild.NEVER, CacheChild.ANY, 80));
        children.add(CacheChild.start(directory, CacheChild.NEVER, CacheChild.ANY, 81));
        SplittableRandom random = new SplittableRandom(3);
        while (children.stream().anyMatch(Process::isAlive)) {
          check(reader, objects.get(random.nextInt(objects.size())));
          assertThat(watched.measure()).isLessThanOrEqualTo(CacheChild.LIMIT);
        }
        assertThat(reader.stats().broken()).isZero();
        assertThat(reader.stats().hits()).isPositive();
      } finally {
        watched.close();
      }
      for (Process child : children) {
        try (BufferedReader output = CacheChild.output(child)) {
          String said = String.join("\n", output.lines().toList());
          assertThat(child.waitFor()).as(said).isZero();
          assertThat(said).matches("done: [1-9][0-9]* of 24[03], 0 broken");
        }
      }
    } finally {
      children.forEach(Process::destroyForcibly);
    }
    assertThat(CachedObjectsTest.size(directory)).isLessThanOrEqualTo(CacheChild.LIMIT);
    assertThat(parts(directory)).isEmpty();
  }
}
