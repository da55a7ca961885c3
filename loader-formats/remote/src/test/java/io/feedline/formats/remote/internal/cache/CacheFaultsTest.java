package io.feedline.formats.remote.internal.cache;

import static io.feedline.formats.remote.internal.cache.FakeObjects.check;
import static io.feedline.formats.remote.internal.cache.FakeObjects.checkAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.ExpectedLog;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.internal.cache.CachedObjectsTest.ShiftedDisk;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A cache on faulty disks and files, and in a directory that others change while it is used. */
class CacheFaultsTest {

  private static final String WARNING = "does not work as it should";

  @TempDir private Path temporary;

  private final FakeObjects origin = new FakeObjects();

  private Path directory() {
    return temporary.resolve("cache");
  }

  private DiskCache cache() {
    return DiskCache.at(directory()).cacheBytes(64 << 20).lineBytes(1 << 17).build();
  }

  private static void readOnce(DiskCache cache, FakeObjects origin, RemoteObject object)
      throws Exception {
    try (CachedObjects reader = new CachedObjects(cache, origin)) {
      check(reader, object);
    }
  }

  private enum Change {
    OPEN,
    CREATE,
    WRITE,
    FORCE,
    MOVE
  }

  /** A disk on which some changes fail, until it is recovered; its clock stands still. */
  private static final class BrokenDisk extends CacheDisk {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile Change broken;
    private final IOException failure;

    BrokenDisk(Change broken, IOException failure) {
      this.broken = broken;
      this.failure = failure;
    }

    private void at(Change change) throws IOException {
      if (change == broken) {
        failures.incrementAndGet();
        throw failure;
      }
    }

    @Override
    FileChannel openMark(Path file) throws IOException {
      at(Change.OPEN);
      return super.openMark(file);
    }

    @Override
    FileChannel create(Path file) throws IOException {
      at(Change.CREATE);
      return super.create(file);
    }

    @Override
    void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
      if (bytes.remaining() > 1000) {
        // As far as there is room.
        super.write(channel, bytes.duplicate().limit(bytes.position() + 1000), position);
        at(Change.WRITE);
      }
      super.write(channel, bytes, position);
    }

    @Override
    void force(FileChannel channel, Path file) throws IOException {
      at(Change.FORCE);
      super.force(channel, file);
    }

    @Override
    void move(Path from, Path to) throws IOException {
      at(Change.MOVE);
      super.move(from, to);
    }

    @Override
    long nanos() {
      return nanos.get();
    }
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  @ExpectedLog(WARNING)
  void shouldReadOnWithAFullDisk(Change change) throws Exception {
    List<RemoteObject> objects = origin.put(10, 150_000);
    BrokenDisk disk =
        new BrokenDisk(change, new FileSystemException("cache", null, "No space left on device"));
    try (CachedObjects reader = new CachedObjects(cache(), origin, disk)) {
      checkAll(reader, objects);
      assertThat(disk.failures).as("is not tried again at once").hasValueLessThanOrEqualTo(2);
      assertThat(reader.stats().hits()).isZero();
      if (change != Change.OPEN) {
        assertThat(files()).as("what is left").containsExactly(CacheDirectory.MARK);
      }

      disk.broken = null;
      disk.nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
      for (int pass = 0; pass < 2; pass++) {
        checkAll(reader, objects);
      }
      assertThat(reader.stats().hits()).as("once there is room again").isEqualTo(20);
    }
    assertThat(CachedObjectsTest.size(directory())).isLessThan(64 << 20);
  }

  @Test
  @ExpectedLog("nothing is added to it for a minute, and what it has is still read")
  void shouldReadWhatAReadOnlyDirectoryHas() throws Exception {
    List<RemoteObject> objects = origin.put(4, 1000);
    readOnce(cache(), new FakeObjects(), objects.get(0));
    List<String> before = files();
    BrokenDisk disk = new BrokenDisk(Change.OPEN, new AccessDeniedException("feedline-cache"));
    try (CachedObjects reader = new CachedObjects(cache(), origin, disk)) {
      checkAll(reader, objects);
      assertThat(reader.stats().hits()).isEqualTo(1);
    }
    assertThat(files()).isEqualTo(before);
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldReadOnIfTheDirectoryCannotBeMade() throws Exception {
    DiskCache nowhere = DiskCache.at(Path.of("/proc/feedline/cache")).cacheBytes(1 << 20).build();
    readOnce(nowhere, origin, origin.put("a.jpg", 1000, "v1"));
  }

  @Test
  void shouldRefuseAFileInThePlaceOfTheDirectory() throws Exception {
    Path file = Files.writeString(temporary.resolve("notes.txt"), "...");
    for (Path each : List.of(file, file.resolve("cache"))) {
      DiskCache cache = DiskCache.at(each).cacheBytes(1 << 20).build();
      assertThatThrownBy(() -> new CachedObjects(cache, origin))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(file + " is a file, and a cache is a directory");
    }
    assertThat(file).hasContent("...");
  }

  @Test
  void shouldRefuseADirectoryThatHasOtherThingsInIt() throws Exception {
    Files.createDirectories(directory());
    Files.writeString(directory().resolve("thesis.tex"), "...");
    assertThatThrownBy(() -> new CachedObjects(cache(), origin))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "is not a cache of Feedline, and has other things in it, such as thesis.tex")
        .hasMessageContaining("Give a new or empty directory");
    assertThat(files()).containsExactly("thesis.tex");
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldNotTouchTheCacheOfAnotherVersion() throws Exception {
    Files.createDirectories(directory());
    Files.writeString(directory().resolve(CacheDirectory.MARK), "Feedline cache 2. Whatever.\n");
    readOnce(cache(), origin, origin.put("a.jpg", 1000, "v1"));
    assertThat(files()).containsExactly(CacheDirectory.MARK);
    assertThat(directory().resolve(CacheDirectory.MARK))
        .hasContent("Feedline cache 2. Whatever.\n");
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldNotWriteThroughALinkAtThePlaceOfItsMark() throws Exception {
    Path outside = Files.createFile(temporary.resolve("outside"));
    Files.createDirectories(directory());
    Path mark = Files.createSymbolicLink(directory().resolve(CacheDirectory.MARK), outside);
    readOnce(cache(), origin, origin.put("a.jpg", 1000, "v1"));
    assertThat(outside).isEmptyFile();
    assertThat(mark).isSymbolicLink();
  }

  @Test
  void shouldLeaveAloneWhatOthersPutIntoTheDirectory() throws Exception {
    List<RemoteObject> objects = origin.put(5, 3000);
    Path outside = Files.writeString(temporary.resolve("outside"), "precious");
    new CachedObjects(cache(), new FakeObjects()).close();
    Files.writeString(directory().resolve("README"), "mine");
    String name = CacheLine.name(new CacheLine(objects.get(0), 1 << 17, 0).identity(""));
    Files.createSymbolicLink(directory().resolve(name + CacheDirectory.ENTRY), outside);
    Path link = directory().resolve("0".repeat(32) + CacheDirectory.PART);
    Files.createSymbolicLink(link, outside);
    Files.createDirectory(directory().resolve("1".repeat(32) + CacheDirectory.ENTRY));
    DiskCache small =
        DiskCache.at(directory())
            .lineBytes(1 << 17)
            .cacheBytes(CacheDirectory.OVERHEAD + 2 * CacheDirectory.cost(3000))
            .eviction(DiskCache.Eviction.LEAST_RECENTLY_USED)
            .build();
    try (CachedObjects reader = new CachedObjects(small, origin)) {
      checkAll(reader, objects);
      check(reader, objects.get(0));
      assertThat(reader.stats().evicted()).isEqualTo(2);
    }
    assertThat(outside).hasContent("precious");
    assertThat(directory().resolve("README")).hasContent("mine");
    assertThat(link).isSymbolicLink();
    assertThat(directory().resolve(name + CacheDirectory.ENTRY)).isSymbolicLink();
    assertThat(directory().resolve("1".repeat(32) + CacheDirectory.ENTRY)).isDirectory();
  }

  /** A bit turns at a place, from the end if that is negative; or the file gets a length. */
  @ParameterizedTest
  @CsvSource({
    "bit, 0", "bit, 1", "bit, 1000", "bit, 65535", "bit, 65536",
    "bit, 99999", "bit, 100000", "bit, 100007", "bit, 100020", "bit, 100050",
    "bit, -1", "length, 0", "length, 1", "length, 50000", "length, 99999",
    "length, 100000", "length, 100059", "length, 100100"
  })
  @ExpectedLog(WARNING)
  void shouldReadAnewWhatIsDamaged(String what, long at) throws Exception {
    damaged(
        entry -> {
          try (RandomAccessFile file = new RandomAccessFile(entry.toFile(), "rw")) {
            if (what.equals("length")) {
              file.setLength(at);
            } else {
              long place = at < 0 ? file.length() + at : at;
              file.seek(place);
              int turned = file.read() ^ 0x10;
              file.seek(place);
              file.write(turned);
            }
          }
        });
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldReadAnewWhatIsTheEntryOfSomethingElse() throws Exception {
    RemoteObject other = origin.put("b.jpg", 100_000, "v1");
    damaged(
        entry -> {
          readOnce(cache(), new FakeObjects(), other);
          String name = CacheLine.name(new CacheLine(other, 1 << 17, 0).identity(""));
          Files.copy(
              directory().resolve(name + CacheDirectory.ENTRY),
              entry,
              java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        });
  }

  @FunctionalInterface
  private interface Damage {
    void to(Path entry) throws Exception;
  }

  private void damaged(Damage damage) throws Exception {
    RemoteObject object = origin.put("a.jpg", 100_000, "v1");
    readOnce(cache(), new FakeObjects(), object);
    damage.to(CachedObjectsTest.entries(directory()).get(0));
    try (CachedObjects reader = new CachedObjects(cache(), origin)) {
      check(reader, object);
      assertThat(reader.stats().broken()).isEqualTo(1);
      reader.awaitWritten();
      check(reader, object);
      assertThat(reader.stats().broken()).isEqualTo(1);
      assertThat(reader.stats().hits()).isEqualTo(1);
      assertThat(origin.requests).hasSize(1);
    }
  }

  @Test
  void shouldVerifyWhatItReadsAndNoMore() throws Exception {
    RemoteObject object = origin.put("a.jpg", 100_000, "v1");
    readOnce(cache(), new FakeObjects(), object);
    Path entry = CachedObjectsTest.entries(directory()).get(0);
    try (FileChannel file = FileChannel.open(entry, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 90_000);
    }
    try (CachedObjects reader = new CachedObjects(cache(), origin)) {
      check(reader, object, 0, 1 << 16);
      assertThat(reader.stats().hits()).isEqualTo(1);
    }
  }

  @Test
  void shouldReadOnWhileAnotherHoldsTheLock() throws Exception {
    // As a process would that was stopped: this one cannot take a lock that it has itself.
    List<RemoteObject> objects = origin.put(3, 3000);
    try (CachedObjects reader = new CachedObjects(cache(), origin)) {
      checkAll(reader, List.of(objects.get(0)));
      try (FileChannel mark =
              FileChannel.open(directory().resolve(CacheDirectory.MARK), StandardOpenOption.WRITE);
          FileLock lock = mark.lock()) {
        assertThat(lock.isValid()).isTrue();
        check(reader, objects.get(1));
        check(reader, objects.get(0));
      }
    }
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(directory())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
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
    readOnce(cache, origin, origin.put("a.jpg", 1000, "v1"));
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

  /** Reads objects a minute apart, the time for which a cache that has failed is given up. */
  private static void checkAllSlowly(
      CachedObjects reader, ShiftedDisk disk, List<RemoteObject> objects) throws Exception {
    for (RemoteObject object : objects) {
      checkAll(reader, List.of(object));
      disk.shift = disk.shift.plusSeconds(61);
    }
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldCountRightAfterALineWasLostWithItsDirectory() throws Exception {
    List<RemoteObject> objects = origin.put(3, 3000);
    ShiftedDisk disk = new ShiftedDisk();
    origin.fault =
        request -> {
          if (request.object().equals(objects.get(1)) && origin.requests.size() == 2) {
            delete(directory());
            Files.createDirectory(directory());
          }
        };
    try (CachedObjects reader = new CachedObjects(cache(), origin, disk)) {
      checkAllSlowly(reader, disk, objects);
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
    ShiftedDisk disk = new ShiftedDisk();
    try (CachedObjects reader = new CachedObjects(cache(), origin, disk)) {
      checkAll(reader, List.of(objects.get(0)));
      delete(directory());
      checkAllSlowly(reader, disk, objects);
      assertThat(reader.stats().hits()).isZero();
    }
    assertThat(directory()).doesNotExist();
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldLeaveADirectoryThatHasBecomeAnotherOnes() throws Exception {
    List<RemoteObject> objects = origin.put(3, 3000);
    ShiftedDisk disk = new ShiftedDisk();
    try (CachedObjects reader = new CachedObjects(cache(), origin, disk)) {
      checkAll(reader, List.of(objects.get(0)));
      delete(directory());
      Files.createDirectory(directory());
      Files.writeString(directory().resolve("thesis.tex"), "...");
      checkAllSlowly(reader, disk, objects);
    }
    try (var files = Files.list(directory())) {
      assertThat(files).containsExactly(directory().resolve("thesis.tex"));
    }
  }

  @Test
  @ExpectedLog({})
  void shouldTakeItsOwnEntriesWithoutAMark() throws Exception {
    RemoteObject object = origin.put("a.jpg", 3000, "v1");
    readOnce(cache(), origin, object);
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
