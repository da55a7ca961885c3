package io.feedline.formats.remote.internal.cache;

import static io.feedline.formats.remote.internal.cache.FakeObjects.check;
import static io.feedline.formats.remote.internal.cache.FakeObjects.checkAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.ExpectedLog;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache's directory: its lock, who may read it, and what others do to it while it is used. */
class CacheDirectoryTest {

  private static final String WARNING = "does not work as it should";

  @TempDir private Path temporary;

  private final FakeObjects origin = new FakeObjects();

  private Path directory() {
    return temporary.resolve("cache");
  }

  private DiskCache cache() {
    return DiskCache.at(directory()).cacheBytes(64 << 20).lineBytes(1 << 17).build();
  }

  /** A disk on which a file gets its final name only when it is told to. */
  private static final class SlowDisk extends CacheDisk {
    private final CountDownLatch moving = new CountDownLatch(1);
    private final CountDownLatch mayMove = new CountDownLatch(1);

    @Override
    void move(Path from, Path to) throws IOException {
      moving.countDown();
      CachedObjectsTest.await(mayMove);
      super.move(from, to);
    }
  }

  @Test
  @ExpectedLog({})
  void shouldWaitForItsOwnThreadsOnASlowDisk() throws Exception {
    List<RemoteObject> objects = origin.put(4, 3000);
    SlowDisk disk = new SlowDisk();
    CountDownLatch reserved = new CountDownLatch(1);
    origin.fault =
        request -> {
          if (request.object().equals(objects.get(1))) {
            reserved.countDown();
            CachedObjectsTest.await(disk.moving);
          }
        };
    ExecutorService another = Executors.newSingleThreadExecutor();
    try (CachedObjects reader = new CachedObjects(cache(), origin, disk)) {
      Future<?> second =
          another.submit(
              () -> {
                check(reader, objects.get(1));
                return null;
              });
      reserved.await();
      check(reader, objects.get(0));
      second.get();
      // The writer of the first line has the lock, and that of the second waits for it, longer than
      // these two reads do, which continue without the cache.
      check(reader, objects.get(2));
      check(reader, objects.get(3));
      disk.mayMove.countDown();
      reader.awaitWritten();
      checkAll(reader, List.of(objects.get(2)));
      assertThat(reader.stats().hits()).isZero();
      checkAll(reader, objects.subList(0, 3));
      assertThat(reader.stats().hits()).isEqualTo(3);
    } finally {
      disk.mayMove.countDown();
      another.shutdown();
    }
  }

  @Test
  void shouldLetNobodyElseReadItsFiles() throws Exception {
    assumeTrue(directory().getFileSystem().supportedFileAttributeViews().contains("posix"));
    Path nested = directory().resolve("nested");
    DiskCache cache = DiskCache.at(nested).cacheBytes(1 << 20).lineBytes(1 << 17).build();
    try (CachedObjects reader = new CachedObjects(cache, origin)) {
      check(reader, origin.put("a.jpg", 1000, "v1"));
    }
    assertThat(permissions(nested)).isEqualTo("rwx------");
    assertThat(permissions(nested.resolve(CacheDirectory.MARK))).isEqualTo("rw-------");
    assertThat(CachedObjectsTest.entries(nested))
        .singleElement()
        .satisfies(entry -> assertThat(permissions(entry)).isEqualTo("rw-------"));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  /** A disk whose clock tests put forward, past the time for which a cache is given up. */
  private static final class ClockedDisk extends CacheDisk {
    private final AtomicLong passed = new AtomicLong();

    @Override
    long nanos() {
      return super.nanos() + passed.get();
    }

    void passPause() {
      passed.addAndGet(TimeUnit.SECONDS.toNanos(61));
    }
  }

  @Test
  @ExpectedLog({})
  void shouldFillADirectoryThatWasMadeAnew() throws Exception {
    List<RemoteObject> objects = origin.put(5, 3000);
    DiskCache small =
        DiskCache.at(directory())
            .cacheBytes(CacheDirectory.OVERHEAD + 2 * CacheDirectory.cost(3000))
            .lineBytes(1 << 17)
            .build();
    try (CachedObjects reader = new CachedObjects(small, origin)) {
      check(reader, objects.get(0));
      checkAll(reader, List.of(objects.get(1)));
      delete(directory());
      Files.createDirectory(directory());
      checkAll(reader, objects);
    }
    assertThat(directory().resolve(CacheDirectory.MARK)).isRegularFile();
    assertThat(CachedObjectsTest.entries(directory())).as("what the limit allows").hasSize(2);
    try (CachedObjects later = new CachedObjects(small, new FakeObjects())) {
      checkAll(later, objects);
      assertThat(later.stats().hits()).isEqualTo(2);
    }
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldCountRightAfterALineWasLostWithItsDirectory() throws Exception {
    List<RemoteObject> objects = origin.put(3, 3000);
    ClockedDisk disk = new ClockedDisk();
    origin.fault =
        request -> {
          if (request.object().equals(objects.get(1)) && origin.requests.size() == 2) {
            delete(directory());
            Files.createDirectory(directory());
          }
        };
    try (CachedObjects reader = new CachedObjects(cache(), origin, disk)) {
      for (RemoteObject object : objects) {
        check(reader, object);
        reader.awaitWritten();
        disk.passPause();
      }
      try (FileChannel mark = FileChannel.open(directory().resolve(CacheDirectory.MARK))) {
        ByteBuffer account = ByteBuffer.allocate(Long.BYTES);
        mark.read(account, 256);
        assertThat(account.getLong(0))
            .isEqualTo(CacheDirectory.OVERHEAD + CacheDirectory.cost(3000));
      }
    }
    assertThat(CachedObjectsTest.entries(directory())).hasSize(1);
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldReadOnWithoutADirectoryThatIsGone() throws Exception {
    List<RemoteObject> objects = origin.put(3, 3000);
    ClockedDisk disk = new ClockedDisk();
    try (CachedObjects reader = new CachedObjects(cache(), origin, disk)) {
      checkAll(reader, List.of(objects.get(0)));
      delete(directory());
      for (RemoteObject object : objects) {
        check(reader, object);
        reader.awaitWritten();
        disk.passPause();
      }
      assertThat(reader.stats().hits()).isZero();
    }
    assertThat(directory()).doesNotExist();
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldLeaveADirectoryThatHasBecomeAnotherOnes() throws Exception {
    List<RemoteObject> objects = origin.put(3, 3000);
    ClockedDisk disk = new ClockedDisk();
    try (CachedObjects reader = new CachedObjects(cache(), origin, disk)) {
      checkAll(reader, List.of(objects.get(0)));
      delete(directory());
      Files.createDirectory(directory());
      Files.writeString(directory().resolve("thesis.tex"), "...");
      for (RemoteObject object : objects) {
        check(reader, object);
        reader.awaitWritten();
        disk.passPause();
      }
    }
    try (var files = Files.list(directory())) {
      assertThat(files).containsExactly(directory().resolve("thesis.tex"));
    }
  }

  @Test
  @ExpectedLog({})
  void shouldTakeItsOwnEntriesWithoutAMark() throws Exception {
    RemoteObject object = origin.put("a.jpg", 3000, "v1");
    try (CachedObjects reader = new CachedObjects(cache(), origin)) {
      check(reader, object);
    }
    Files.delete(directory().resolve(CacheDirectory.MARK));
    Path left = directory().resolve("0".repeat(32) + CacheDirectory.PART);
    Files.createFile(left);
    try (CachedObjects reader = new CachedObjects(cache(), new FakeObjects())) {
      check(reader, object);
      assertThat(reader.stats().hits()).isEqualTo(1);
    }
    assertThat(directory().resolve(CacheDirectory.MARK)).isRegularFile();
    assertThat(left).doesNotExist();
  }
}
