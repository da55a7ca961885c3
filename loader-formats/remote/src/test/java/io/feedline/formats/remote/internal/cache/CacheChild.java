package io.feedline.formats.remote.internal.cache;

import static io.feedline.formats.remote.internal.cache.FakeObjects.check;

import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that reads through a cache, and checks each byte. It either stops at a step of its
 * writing, says so, and waits for its end; or reads so many objects, and ends.
 */
final class CacheChild {

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

  /** Starts this in a JVM of its own; it stops in the first step of that name from a number on. */
  static Process start(Path directory, int stopAt, String stopIn, int reads) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(CacheChild.class.getName());
    command.addAll(
        List.of(directory.toString(), Integer.toString(stopAt), stopIn, Integer.toString(reads)));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  static BufferedReader output(Process process) {
    return process.inputReader(StandardCharsets.UTF_8);
  }

  /** Takes the directory, the number and the name of the step to stop at, and how many are read. */
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
