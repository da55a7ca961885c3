package io.feedline.formats.remote.internal.cache;

import static io.feedline.formats.remote.internal.cache.FakeObjects.check;
import static io.feedline.formats.remote.internal.cache.FakeObjects.checkAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.ExpectedLog;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.internal.s3.ObjectReader;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedObjectsTest {

  private static final int LINE = 1 << 16;

  @TempDir private Path temporary;

  private final FakeObjects origin = new FakeObjects();

  private DiskCache.Builder cache() {
    return DiskCache.at(temporary.resolve("cache")).cacheBytes(64 << 20).lineBytes(LINE);
  }

  @Test
  void shouldReadAnObjectFromItsOriginOnce() throws Exception {
    RemoteObject object = origin.put("a.jpg", 12_345, "v1");
    try (CachedObjects reader = new CachedObjects(cache().build(), origin)) {
      check(reader, object);
      check(reader, object);
      check(reader, object, 777, 1000);
      assertThat(reader.stats())
          .isEqualTo(new CachedObjects.Stats(2, 1, 12_345 + 1000, 12_345, 0, 0));
    }
    assertThat(origin.requests).hasSize(1);
  }

  @Test
  void shouldKeepLinesOfALargeObject() throws Exception {
    RemoteObject shard = origin.put("0.tar", 10 * LINE + 99, "v1");
    try (CachedObjects reader = new CachedObjects(cache().build(), origin)) {
      check(reader, shard, 3 * LINE + 5, 10);
      assertThat(origin.requests).containsExactly(new FakeObjects.Request(shard, 3 * LINE, LINE));
      check(reader, shard, 3 * LINE, LINE);
      check(reader, shard, 3 * LINE + 100, LINE);
      check(reader, shard, 10 * LINE, 99);
      check(reader, shard);
      check(reader, shard);
      assertThat(reader.stats().originBytes()).isEqualTo(shard.size());
    }
    assertThat(origin.requests).hasSize(11);
  }

  @Test
  void shouldReadAnyPartOfAnObject() throws Exception {
    RemoteObject shard = origin.put("0.tar", 5 * (1 << 18) + 4321, "v1");
    SplittableRandom random = new SplittableRandom(1);
    // Lines of four blocks, so that parts begin and end within lines and blocks.
    DiskCache cache = cache().cacheBytes(3 * (1 << 18) + 100_000).lineBytes(1 << 18).build();
    try (CachedObjects reader = new CachedObjects(cache, origin)) {
      for (int i = 0; i < 300; i++) {
        int position = random.nextInt((int) shard.size());
        check(reader, shard, position, random.nextInt((int) shard.size() - position) + 1);
      }
      assertThat(reader.stats().hits()).isPositive();
      assertThat(reader.stats().misses()).isPositive();
    }
  }

  @Test
  void shouldMergeTheLinesThatAreNotKept() throws Exception {
    RemoteObject shard = origin.put("0.tar", 10 * LINE, "v1");
    long room = CacheDirectory.OVERHEAD + CacheDirectory.cost(LINE);
    try (CachedObjects reader = new CachedObjects(cache().cacheBytes(room).build(), origin)) {
      check(reader, shard, 4 * LINE, 1);
      check(reader, shard, 0, 10 * LINE);
      assertThat(origin.requests)
          .containsExactly(
              new FakeObjects.Request(shard, 4 * LINE, LINE),
              new FakeObjects.Request(shard, 0, 4 * LINE),
              new FakeObjects.Request(shard, 5 * LINE, 5 * LINE));
    }
  }

  @Test
  void shouldTellApartLinesThatDifferInOneThing() {
    RemoteObject object = new RemoteObject(URI.create("s3://b/a"), 100, "v1");
    List<CacheLine> lines =
        List.of(
            new CacheLine(object, 10, 1),
            new CacheLine(new RemoteObject(URI.create("s3://b/c"), 100, "v1"), 10, 1),
            new CacheLine(new RemoteObject(object.uri(), 101, "v1"), 10, 1),
            new CacheLine(new RemoteObject(object.uri(), 100, "v2"), 10, 1),
            new CacheLine(object, 11, 1),
            new CacheLine(object, 10, 2));

    assertThat(lines.stream().flatMap(each -> Stream.of(hex(each, ""), hex(each, "https://x"))))
        .doesNotHaveDuplicates();
    assertThat(hex(lines.get(0), "")).isEqualTo(hex(new CacheLine(object, 10, 1), ""));
  }

  private static String hex(CacheLine line, String server) {
    return HexFormat.of().formatHex(line.identity(server));
  }

  @Test
  @ExpectedLog("no strong ETag")
  void shouldNotKeepWhatHasNoVersion() throws Exception {
    RemoteObject object = origin.put("a.jpg", 1000, "");
    try (CachedObjects reader = new CachedObjects(cache().build(), origin)) {
      check(reader, object);
      check(reader, object);
    }
    assertThat(origin.requests).hasSize(2);
    assertThat(entries()).isEmpty();
  }

  @Test
  void shouldReadEmptyObjectsAndParts() throws Exception {
    RemoteObject empty = origin.put("empty", 0, "v1");
    try (CachedObjects reader = new CachedObjects(cache().build(), origin)) {
      check(reader, empty);
      check(reader, origin.put("a.jpg", 1000, "v1"), 1000, 0);
    }
    assertThat(origin.requests).isEmpty();
  }

  @Test
  void shouldRefuseToReadBehindTheEnd() throws Exception {
    RemoteObject object = origin.put("a.jpg", 1000, "v1");
    try (CachedObjects reader = new CachedObjects(cache().build(), origin)) {
      assertThatThrownBy(() -> reader.read(object, 990, ByteBuffer.allocate(11)))
          .isInstanceOf(EOFException.class)
          .hasMessage("s3://bucket/a.jpg has 1000 bytes; 11 are expected at offset 990");
    }
  }

  @Test
  void shouldFillDirectBuffersFromTheirPositionToTheirLimit() throws Exception {
    RemoteObject object = origin.put("0.tar", 3 * LINE, "v1");
    ByteBuffer target = ByteBuffer.allocateDirect(200_000);
    try (CachedObjects reader = new CachedObjects(cache().build(), origin)) {
      for (int pass = 0; pass < 2; pass++) {
        target.clear().position(7).limit(7 + 2 * LINE);
        reader.read(object, 1000, target);
        assertThat(target.position()).isEqualTo(7 + 2 * LINE);
        ByteBuffer expected = ByteBuffer.allocate(2 * LINE);
        new FakeObjects().read(object, 1000, expected);
        assertThat(target.flip().position(7)).isEqualTo(expected.flip());
      }
    }
  }

  @Test
  void shouldAdmitTheSameFractionEachTime() throws Exception {
    List<RemoteObject> objects = origin.put(1000, 10);
    DiskCache cache = cache().admit(0.2).build();
    int requests = 0;
    for (int pass = 0; pass < 2; pass++) {
      FakeObjects same = new FakeObjects();
      try (CachedObjects reader = new CachedObjects(cache, same)) {
        checkAll(reader, objects);
      }
      requests += same.requests.size();
    }
    // Those that were admitted were asked for once, the others twice.
    int admitted = 2000 - requests;
    assertThat(admitted).isBetween(150, 250);
    assertThat(entries()).hasSize(admitted);
  }

  @Test
  void shouldFetchALineOnceForManyThreads() throws Exception {
    RemoteObject shard = origin.put("0.tar", 4 * LINE, "v1");
    CountDownLatch all = new CountDownLatch(64);
    // The first fetch of each line lasts until all threads are about to read.
    origin.fault = request -> await(all);
    try (CachedObjects reader = new CachedObjects(cache().build(), origin)) {
      inThreads(
          64,
          thread -> {
            all.countDown();
            for (int i = 0; i < 20; i++) {
              check(reader, shard, (thread + i) % 4 * LINE + thread, LINE - 64);
            }
            return null;
          });
      assertThat(reader.stats().misses()).isEqualTo(4);
    }
    assertThat(origin.requests).hasSize(4);
  }

  @Test
  void shouldReadRightWhileManyThreadsEvictFromEachOther() throws Exception {
    List<RemoteObject> objects = origin.put(12, 20_000);
    DiskCache cache =
        cache()
            .cacheBytes(CacheDirectory.OVERHEAD + 3 * CacheDirectory.cost(20_000))
            .eviction(DiskCache.Eviction.LEAST_RECENTLY_USED)
            .build();
    try (CachedObjects reader = new CachedObjects(cache, origin)) {
      inThreads(
          64,
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < 50; i++) {
              check(reader, objects.get(random.nextInt(objects.size())), 100, 15_000);
            }
            return null;
          });
      assertThat(reader.stats().evicted()).isPositive();
      assertThat(reader.stats().hits()).isPositive();
      assertThat(reader.stats().broken()).isZero();
    }
    assertThat(size(temporary.resolve("cache"))).isLessThanOrEqualTo(cache.cacheBytes());
  }

  @Test
  void shouldTellThoseWhoWaitOfAFailure() throws Exception {
    RemoteObject object = origin.put("a.jpg", 1000, "v1");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch waited = new CountDownLatch(1);
    origin.fault =
        request -> {
          begun.countDown();
          await(waited);
          throw new IOException("503 Slow Down");
        };
    try (CachedObjects reader = new CachedObjects(cache().build(), origin)) {
      Reading first = new Reading(reader, object);
      begun.await();
      Reading second = new Reading(reader, object);
      second.awaitParked();
      waited.countDown();
      assertThatThrownBy(first.result::get).rootCause().hasMessage("503 Slow Down");
      assertThatThrownBy(second.result::get)
          .hasMessageContaining(
              "s3://bucket/a.jpg: another thread that was reading it has failed: 503 Slow Down");
      assertThat(origin.requests).hasSize(1);
      origin.fault = request -> {};
      check(reader, object);
    }
  }

  @Test
  void shouldGoOnForThoseWhoWaitForAnInterruptedThread() throws Exception {
    RemoteObject object = origin.put("a.jpg", 1000, "v1");
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger reads = new AtomicInteger();
    origin.fault =
        request -> {
          if (reads.incrementAndGet() == 1) {
            begun.countDown();
            await(new CountDownLatch(1));
          }
        };
    try (CachedObjects reader = new CachedObjects(cache().build(), origin)) {
      Reading first = new Reading(reader, object);
      begun.await();
      Reading second = new Reading(reader, object);
      second.awaitParked();
      first.thread.interrupt();
      assertThatThrownBy(first.result::get).hasCauseInstanceOf(InterruptedIOException.class);
      second.result.get();
      check(reader, object);
    }
    assertThat(origin.requests).hasSize(2);
  }

  @Test
  void shouldSurviveInterruptsOfThreadsThatReadTheSameEntries() throws Exception {
    List<RemoteObject> objects = origin.put(4, 200_000);
    try (CachedObjects reader = new CachedObjects(cache().lineBytes(1 << 18).build(), origin)) {
      inThreads(
          6,
          thread -> {
            for (int i = 0; i < 200; i++) {
              if (thread < 3) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> check(reader, objects.get(0)))
                    .isInstanceOf(IOException.class);
                Thread.interrupted();
              } else {
                check(reader, objects.get(i % objects.size()));
              }
            }
            return null;
          });
      assertThat(reader.stats().broken()).isZero();
    }
  }

  @Test
  void shouldShareADirectoryWithinAProcess() throws Exception {
    List<RemoteObject> objects = origin.put(10, 1000);
    try (CachedObjects validation = new CachedObjects(cache().build(), new FakeObjects())) {
      try (CachedObjects train = new CachedObjects(cache().build(), origin)) {
        checkAll(train, objects);
      }
      checkAll(validation, objects);
      assertThat(validation.stats().hits()).isEqualTo(10);
    }
  }

  @Test
  void shouldRefuseReadsAfterClose() throws Exception {
    RemoteObject object = origin.put("a.jpg", 1000, "v1");
    CachedObjects reader = new CachedObjects(cache().build(), origin);
    reader.close();
    reader.close();
    assertThatThrownBy(() -> check(reader, object)).isInstanceOf(IllegalStateException.class);
  }

  private static final class Reading {
    private final FutureTask<Object> result;
    private final Thread thread;

    Reading(ObjectReader reader, RemoteObject object) {
      result =
          new FutureTask<>(
              () -> {
                check(reader, object);
                return null;
              });
      thread = new Thread(result);
      thread.start();
    }

    void awaitParked() {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
  }

  /** A disk whose clocks are late by some time. */
  static final class ShiftedDisk extends CacheDisk {
    volatile Duration shift = Duration.ZERO;

    @Override
    long nanos() {
      return super.nanos() + shift.toNanos();
    }

    @Override
    long millis() {
      return super.millis() + shift.toMillis();
    }
  }

  static void await(CountDownLatch latch) throws InterruptedIOException {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new InterruptedIOException("interrupted");
    }
  }

  @FunctionalInterface
  interface Job {
    Object run(int thread) throws Exception;
  }

  static void inThreads(int count, Job job) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Callable<Object>> jobs = new ArrayList<>();
      for (int t = 0; t < count; t++) {
        int thread = t;
        jobs.add(() -> job.run(thread));
      }
      for (Future<?> each : threads.invokeAll(jobs)) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  private List<Path> entries() throws IOException {
    return entries(temporary.resolve("cache"));
  }

  static List<Path> entries(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(CacheDirectory.ENTRY)).sorted().toList();
    }
  }

  /** Returns the space of a directory on the disk, in blocks of 4 KiB, itself included. */
  static long size(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      long sum = 0;
      for (Path file : (Iterable<Path>) files::iterator) {
        sum += (Files.size(file) + 4095) / 4096 * 4096;
      }
      return sum;
    }
  }
}
