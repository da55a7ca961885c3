package io.feedline.formats.remote.internal.cache;

import static io.feedline.formats.remote.internal.cache.FakeObjects.check;
import static io.feedline.formats.remote.internal.cache.FakeObjects.checkAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.ExpectedLog;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The behavior of a cache on faulty disks and files. */
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

  /** The changes that a cache makes to its directory. */
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
    try (CachedObjects reader = new CachedObjects(cache(), new FakeObjects())) {
      check(reader, objects.get(0));
    }
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
    try (CachedObjects reader = new CachedObjects(nowhere, origin)) {
      check(reader, origin.put("a.jpg", 1000, "v1"));
    }
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
    try (CachedObjects reader = new CachedObjects(cache(), origin)) {
      check(reader, origin.put("a.jpg", 1000, "v1"));
    }
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
    try (CachedObjects reader = new CachedObjects(cache(), origin)) {
      check(reader, origin.put("a.jpg", 1000, "v1"));
    }
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

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1000, 65_535, 65_536, 99_999, 100_000, 100_007, 100_020, 100_050, -1})
  @ExpectedLog(WARNING)
  void shouldReadAnewWhatABitHasTurnedIn(long at) throws Exception {
    damaged(
        entry -> {
          try (FileChannel file =
              FileChannel.open(entry, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long place = at < 0 ? file.size() - 1 : at;
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, place);
            one.put(0, (byte) (one.get(0) ^ 0x10)).flip();
            file.write(one, place);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 50_000, 99_999, 100_000, 100_059})
  @ExpectedLog(WARNING)
  void shouldReadAnewWhatIsCutOff(long size) throws Exception {
    damaged(
        entry -> {
          try (FileChannel file = FileChannel.open(entry, StandardOpenOption.WRITE)) {
            file.truncate(size);
          }
        });
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldReadAnewWhatHasBecomeLonger() throws Exception {
    damaged(entry -> Files.write(entry, new byte[7], StandardOpenOption.APPEND));
  }

  @Test
  @ExpectedLog(WARNING)
  void shouldReadAnewWhatIsTheEntryOfSomethingElse() throws Exception {
    RemoteObject other = origin.put("b.jpg", 100_000, "v1");
    damaged(
        entry -> {
          try (CachedObjects reader = new CachedObjects(cache(), new FakeObjects())) {
            check(reader, other);
          }
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
    try (CachedObjects reader = new CachedObjects(cache(), new FakeObjects())) {
      check(reader, object);
    }
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
    try (CachedObjects reader = new CachedObjects(cache(), new FakeObjects())) {
      check(reader, object);
    }
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
}
