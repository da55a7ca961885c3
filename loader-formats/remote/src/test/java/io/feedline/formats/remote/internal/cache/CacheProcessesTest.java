package io.feedline.formats.remote.internal.cache;

import static io.feedline.formats.remote.internal.cache.FakeObjects.check;
import static io.feedline.formats.remote.internal.cache.FakeObjects.checkAll;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.internal.fs.StubStore;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
    try (BufferedReader output = child.inputReader(UTF_8)) {
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
        try (BufferedReader output = child.inputReader(UTF_8)) {
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

  /**
   * A process that reads through a cache, and checks each byte. It either stops at a step of its
   * writing, says so, and waits for its end; or reads so many objects, and ends.
   */
  static final class CacheChild {

    static final int OBJECTS = 40;
    static final int BYTES = 70_000;
    static final String ANY = "any";
    static final int NEVER = Integer.MAX_VALUE;
    private static final int THREADS = 3;

    /** Room for a quarter of the objects, so that entries come and go. */
    static final long LIMIT = CacheDirectory.OVERHEAD + 10 * CacheDirectory.cost(BYTES);

    private CacheChild() {}

    static DiskCache cache(Path directory) {
      return DiskCache.at(directory)
          .cacheBytes(LIMIT)
          .lineBytes(1 << 18)
          .eviction(DiskCache.Eviction.LEAST_RECENTLY_USED)
          .build();
    }

    /**
     * Starts this in a JVM of its own; it stops in the first step of that name from a number on.
     */
    static Process start(Path directory, int stopAt, String stopIn, int reads) throws IOException {
      List<String> command =
          StubStore.java(
              CacheChild.class, directory + "", stopAt + "", stopIn, Integer.toString(reads));
      return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /**
     * Takes the directory, the number and the name of the step to stop at, and how many are read.
     */
    public static void main(String... args) throws Exception {
      Path directory = Path.of(args[0]);
      int stopAt = Integer.parseInt(args[1]);
      String stopIn = args[2];
      int reads = Integer.parseInt(args[3]);
      FakeObjects origin = new FakeObjects();
      List<RemoteObject> objects = origin.put(OBJECTS, BYTES);
      try (CachedObjects reader =
          new CachedObjects(cache(directory), origin, new SteppedDisk(stopAt, stopIn))) {
        CachedObjectsTest.inThreads(
            THREADS,
            thread -> {
              SplittableRandom random = new SplittableRandom(stopAt * 31L + reads + thread);
              for (int i = 0; i < reads; i++) {
                check(reader, objects.get(random.nextInt(OBJECTS)));
              }
              return null;
            });
        CachedObjects.Stats stats = reader.stats();
        System.out.printf(
            "done: %d of %d, %d broken%n", stats.hits(), THREADS * reads, stats.broken());
      }
    }

    /** Counts the changes of the directory, and stops at one of them for ever. */
    private static final class SteppedDisk extends CacheDisk {
      private final int stopAt;
      private final String stopIn;
      private final AtomicInteger steps = new AtomicInteger();
      private final AtomicBoolean stopped = new AtomicBoolean();

      SteppedDisk(int stopAt, String stopIn) {
        this.stopAt = stopAt;
        this.stopIn = stopIn;
      }

      private void step(String name) throws IOException {
        if (steps.incrementAndGet() >= stopAt
            && (stopIn.equals(ANY) || stopIn.equals(name))
            && stopped.compareAndSet(false, true)) {
          System.out.println("at " + name);
          System.out.flush();
          // Until the process is killed.
          if (System.in.read() < 0) {
            throw new IOException("nobody kills this process");
          }
        }
      }

      @Override
      FileChannel openMark(Path file) throws IOException {
        FileChannel channel = super.openMark(file);
        step("open");
        return channel;
      }

      @Override
      FileChannel create(Path file) throws IOException {
        FileChannel channel = super.create(file);
        step("create");
        return channel;
      }

      @Override
      void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        int half = bytes.remaining() / 2;
        super.write(channel, bytes.duplicate().limit(bytes.position() + half), position);
        step("write");
        super.write(channel, bytes.duplicate().position(bytes.position() + half), position + half);
      }

      @Override
      void force(FileChannel channel, Path file) throws IOException {
        step("force");
        super.force(channel, file);
      }

      @Override
      void move(Path from, Path to) throws IOException {
        super.move(from, to);
        step("move");
      }

      @Override
      void delete(Path file) throws IOException {
        super.delete(file);
        step("delete");
      }
    }
  }
}
