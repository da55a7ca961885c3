package io.feedline.formats.remote.internal.cache;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedline.data.FormatException;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.store.internal.files.LocalFiles;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a cache, which processes share. It has a file for each entry, which is a kept
 * {@linkplain CacheLine line}, and keeps account of the bytes that all files take.
 *
 * <h2>Layout</h2>
 *
 * <pre>
 * feedline-cache the mark: shows that the directory is a cache, and has the account
 * HEX.line           an entry, see {@link CacheEntry}; HEX is half of its identity
 * HEX.part           an entry that is being written: as long as it will be, locked by its writer
 * </pre>
 *
 * <p>The mark {@code feedline-cache} begins with a line of text. The account begins at byte 256 and
 * has three numbers of 8 bytes: the bytes that the directory takes, a count of changes, and the
 * CRC-32C of these two numbers.
 *
 * <h2>Principle</h2>
 *
 * <p>A process locks the mark before it sets a file's length, gives a file its final name, or
 * deletes a file. So a scan of the directory under the lock is correct. A scan recounts the account
 * when a cache is opened, after an interruption, and when there is no room and other processes have
 * made changes. The account is raised before a file is made, and lowered after a file is deleted. A
 * process that is killed leaves the account too high at worst.
 *
 * <p>A read waits at most {@value #PATIENCE_MILLIS} ms for other threads to release the lock, and
 * as long for another process, which may have been stopped. Then the line is read without the
 * cache. A write waits without a limit for threads of its own process.
 *
 * <p>A process that has locked a mark checks that this file is still the mark of the directory. If
 * somebody has deleted the directory and made it anew, the process makes a new mark, unless the
 * directory has files other than entries. The cache does not make a deleted directory again.
 *
 * <p>A {@code .part} without a lock was left by a process that was killed, and is deleted. A shared
 * lock on an entry that is being read keeps other processes from deleting it; within the process a
 * count of readers has the same effect. POSIX releases all locks of a process on a file when the
 * process closes any channel of that file, so a process has one instance for each directory, and
 * one open channel for each entry.
 *
 * <p>Thread-safe.
 */
final class CacheDirectory implements Closeable {

  static final String MARK = "feedline-cache";
  static final String ENTRY = ".line";
  static final String PART = ".part";

  private static final String TEXT =
      "Feedline cache 1. Copies of remote data; may be deleted while no process uses it.\n";
  private static final int ACCOUNT = 256;
  private static final int ACCOUNT_BYTES = 3 * Long.BYTES;

  private static final Pattern OURS = Pattern.compile("([0-9a-f]{32})(\\.line|\\.part)");

  /** The unit in which file systems allocate space, in bytes. */
  private static final long BLOCK = 4096;

  private static final long NAME = 128;

  /** The bytes that the directory itself and its file {@code feedline-cache}, the mark, take. */
  static final long OVERHEAD = 2 * BLOCK;

  static final long PATIENCE_MILLIS = 2000;
  private static final long BETWEEN_LOOKS_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long BETWEEN_TRIALS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long TOUCHED_AGAIN_MILLIS = TimeUnit.MINUTES.toMillis(10);

  private static final Map<Path, CacheDirectory> OPEN = new HashMap<>();

  private final Path directory;
  private final CacheDisk disk;
  private final CacheEntries entries = new CacheEntries();

  /** The count of the callers that have opened the directory; guarded by {@link #OPEN}. */
  private int owners;

  private final ReentrantLock accountLock = new ReentrantLock();

  // The following fields are guarded by accountLock:
  private FileChannel mark;
  private @Nullable Object markKey;
  private long bytes;
  private long changes;
  private boolean doubtful = true;
  private boolean changedByOthers;
  private long lookedAt;
  private long gaveUpAt = Long.MIN_VALUE;

  /** The entries that are being read, by name; its monitor guards this map and {@link #leaving}. */
  private final Map<String, Reading> readings = new HashMap<>();

  private final Set<String> leaving = new HashSet<>();
  private final Set<String> writing = ConcurrentHashMap.newKeySet();
  private final AtomicLong evicted = new AtomicLong();

  /** An entry that threads of this process read or are about to open. */
  private static final class Reading {
    /** The count of the threads that use the entry; guarded by {@link #readings}. */
    private int readers = 1;

    // Guarded by this, so that a slow disk delays only readers of the entry:
    private boolean opened;
    private CacheEntry entry;

    /** Opens the entry once; returns null if it is absent or the first attempt failed. */
    synchronized @Nullable CacheEntry open(Path file, CacheLine line, byte[] identity)
        throws IOException {
      if (!opened) {
        opened = true;
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          entry = CacheEntry.open(file, line.length(), identity);
        }
      }
      return entry;
    }

    synchronized void close() throws IOException {
      if (entry != null) {
        entry.close();
      }
    }
  }

  private CacheDirectory(Path directory, CacheDisk disk) {
    this.directory = directory;
    this.disk = disk;
  }

  /**
   * Opens the directory of a cache. If it is missing, makes it, readable for its owner alone. The
   * caller closes the result.
   */
  static CacheDirectory open(Path path, CacheDisk disk) throws IOException {
    try {
      LocalFiles.createPrivateDirectory(path);
    } catch (FileAlreadyExistsException file) {
      throw new IllegalArgumentException(
          "%s is a file, and a cache is a directory. Give a new or empty directory"
              .formatted(file.getFile()),
          file);
    }
    Path directory = path.toRealPath();
    synchronized (OPEN) {
      CacheDirectory open = OPEN.get(directory);
      if (open == null) {
        Path foreign = foreignIn(directory);
        if (foreign != null) {
          throw new IllegalArgumentException(isForeign(directory, foreign));
        }
        open = new CacheDirectory(directory, disk);
        OPEN.put(directory, open);
      }
      open.owners++;
      return open;
    }
  }

  /** Returns a file that no cache has made; null without such a file, or if the mark exists. */
  private static @Nullable Path foreignIn(Path directory) throws IOException {
    if (Files.exists(directory.resolve(MARK), LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (!name.equals(MARK) && !OURS.matcher(name).matches()) {
          return file;
        }
      }
      return null;
    }
  }

  private static String isForeign(Path directory, Path foreign) {
    return "%s is not a cache of Feedline, and has other things in it, such as %s. Give a new or empty directory, for instance %s"
        .formatted(directory, foreign.getFileName(), directory.resolve("cache"));
  }

  CacheEntries entries() {
    return entries;
  }

  long evicted() {
    return evicted.get();
  }

  static long cost(int length) {
    return costOfFile(CacheEntry.fileBytes(length));
  }

  private static long costOfFile(long fileBytes) {
    return (fileBytes + BLOCK - 1) / BLOCK * BLOCK + NAME;
  }

  /**
   * Reads a part of a line. Returns false if the line is not in the cache; the target's position
   * then stays. Deletes a damaged entry, and throws a FormatException or EOFException.
   */
  boolean read(CacheLine line, byte[] identity, int offset, ByteBuffer target) throws IOException {
    String name = CacheLine.name(identity);
    int position = target.position();
    while (true) {
      Reading reading = acquire(name);
      if (reading == null) {
        return false;
      }
      try {
        CacheEntry entry = reading.open(directory.resolve(name + ENTRY), line, identity);
        if (entry == null) {
          return false;
        }
        entry.read(offset, target);
        used(line, name);
        return true;
      } catch (ClosedByInterruptException interrupted) {
        target.position(position);
        drop(name, reading);
        throw interrupted(interrupted);
      } catch (ClosedChannelException byAnotherThread) {
        target.position(position);
        drop(name, reading);
      } catch (FileNotFoundException absent) {
        return false;
      } catch (InterruptedIOException interrupted) {
        throw interrupted;
      } catch (FormatException | EOFException broken) {
        target.position(position);
        drop(name, reading);
        deleteBroken(name, broken);
        throw broken;
      } catch (IOException unreadable) {
        target.position(position);
        throw unreadable;
      } finally {
        release(name, reading);
      }
    }
  }

  private static InterruptedIOException interrupted(Exception cause) {
    InterruptedIOException interrupted = new InterruptedIOException("interrupted in the cache");
    interrupted.initCause(cause);
    return interrupted;
  }

  private Reading acquire(String name) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      // A read by an interrupted thread would close the channel for all threads.
      throw interrupted(null);
    }
    synchronized (readings) {
      if (leaving.contains(name)) {
        return null;
      }
      Reading reading = readings.get(name);
      if (reading == null) {
        reading = new Reading();
        readings.put(name, reading);
      } else {
        reading.readers++;
      }
      return reading;
    }
  }

  private void drop(String name, Reading reading) {
    synchronized (readings) {
      readings.remove(name, reading);
    }
  }

  private void release(String name, Reading reading) throws IOException {
    synchronized (readings) {
      if (--reading.readers == 0) {
        readings.remove(name, reading);
        reading.close();
      }
    }
  }

  private void used(CacheLine line, String name) {
    long ago = entries.used(name, line, cost(line.length()), disk.millis());
    if (ago > TOUCHED_AGAIN_MILLIS) {
      try {
        disk.touch(directory.resolve(name + ENTRY));
      } catch (IOException unable) {
        // The file keeps its old time, so a later process may delete the entry early.
        return;
      }
    }
  }

  private void deleteBroken(String name, IOException broken) {
    try {
      locked(() -> delete(name, directory.resolve(name + ENTRY)));
    } catch (IOException stays) {
      broken.addSuppressed(stays);
    }
  }

  /** A reservation of bytes for a line, with a locked file; it must be published or abandoned. */
  final class Reservation {
    private final CacheLine line;
    private final byte[] identity;
    private final String name;
    private final Path part;
    private final FileChannel channel;

    private Reservation(CacheLine line, byte[] identity, String name, Path part, FileChannel file) {
      this.line = line;
      this.identity = identity;
      this.name = name;
      this.part = part;
      this.channel = file;
    }

    /** Writes the line into the file and makes the file an entry; deletes the file on failure. */
    void publish(ByteBuffer payload) throws IOException {
      try {
        ByteBuffer trailer = CacheEntry.trailer(payload.duplicate(), identity);
        disk.write(channel, payload.duplicate(), 0);
        disk.write(channel, trailer, payload.remaining());
        disk.force(channel, part);
        locked(this::rename);
      } catch (IOException | RuntimeException | Error failure) {
        try {
          abandon();
        } catch (IOException e) {
          failure.addSuppressed(e);
        }
        throw failure;
      }
    }

    private void rename() throws IOException {
      disk.move(part, directory.resolve(name + ENTRY));
      writing.remove(name);
      entries.used(name, line, cost(line.length()), disk.millis());
      channel.close();
      note(0);
    }

    /** Deletes the file and releases its bytes; on failure, the next scan does so. */
    void abandon() throws IOException {
      try (channel) {
        locked(
            () -> {
              // A file that was deleted with the directory is not part of the account.
              if (Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
                disk.delete(part);
                note(-cost(line.length()));
              }
            });
      } finally {
        writing.remove(name);
      }
    }
  }

  /**
   * Reserves the bytes of a line, of which the caller reads {@code asked} bytes now. Returns empty
   * if keeping the line saves fewer bytes than it costs, if there is no room, if another process
   * has the line or fetches it, or if other threads hold the lock for long.
   */
  Optional<Reservation> reserve(
      CacheLine line, byte[] identity, int asked, long maxBytes, DiskCache.Eviction eviction)
      throws IOException {
    String name = CacheLine.name(identity);
    long cost = cost(line.length());
    if (OVERHEAD + cost > maxBytes) {
      return Optional.empty();
    }
    Reservation[] made = new Reservation[1];
    lockedWithin(
        PATIENCE_MILLIS,
        () -> {
          Path part = directory.resolve(name + PART);
          if (!Files.exists(directory.resolve(name + ENTRY), LinkOption.NOFOLLOW_LINKS)
              && !Files.exists(part, LinkOption.NOFOLLOW_LINKS)
              && makeRoom(line, asked, cost, maxBytes, eviction)) {
            made[0] = create(line, identity, name, part);
          }
        });
    return Optional.ofNullable(made[0]);
  }

  private Reservation create(CacheLine line, byte[] identity, String name, Path part)
      throws IOException {
    long cost = cost(line.length());
    note(cost);
    writing.add(name);
    FileChannel channel = null;
    try {
      channel = disk.create(part);
      lockPart(channel);
      // The last byte is written first: the file's length shows other processes the reserved bytes.
      disk.write(channel, ByteBuffer.allocate(1), CacheEntry.fileBytes(line.length()) - 1);
      return new Reservation(line, identity, name, part, channel);
    } catch (IOException | RuntimeException | Error failure) {
      try {
        if (channel != null) {
          channel.close();
          disk.delete(part);
        }
        note(-cost);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
      writing.remove(name);
      throw failure;
    }
  }

  private static void lockPart(FileChannel channel) throws IOException {
    // The lock is held until the channel is closed.
    FileLock lock = channel.tryLock();
    if (lock == null) {
      throw new IOException("a file that was just made is locked by another process");
    }
  }

  private boolean makeRoom(
      @Nullable CacheLine line, int asked, long cost, long maxBytes, DiskCache.Eviction eviction)
      throws IOException {
    if (bytes + cost > maxBytes
        && changedByOthers
        && disk.nanos() - lookedAt > BETWEEN_LOOKS_NANOS) {
      look();
    }
    do {
      Optional<List<CacheEntries.Victim>> victims =
          entries.victims(
              line, asked, bytes + cost - maxBytes, eviction, disk.millis(), this::isUsable);
      if (victims.isEmpty()) {
        return false;
      }
      for (CacheEntries.Victim victim : victims.get()) {
        evict(victim.name());
      }
    } while (bytes + cost > maxBytes);
    return true;
  }

  /** Deletes the least recently used entries until the directory takes at most {@code maxBytes}. */
  void shrinkTo(long maxBytes) throws IOException {
    locked(() -> makeRoom(null, 0, 0, maxBytes, DiskCache.Eviction.LEAST_RECENTLY_USED));
  }

  private boolean isUsable(String name) {
    synchronized (readings) {
      return !readings.containsKey(name);
    }
  }

  /** Deletes an entry unless it is read; an entry that another process reads is only forgotten. */
  private void evict(String name) throws IOException {
    synchronized (readings) {
      if (readings.containsKey(name)) {
        return;
      }
      leaving.add(name);
    }
    try {
      Path file = directory.resolve(name + ENTRY);
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        entries.remove(name);
        return;
      }
      try (FileChannel channel = disk.openToLock(file)) {
        if (isFree(channel)) {
          delete(name, file);
          evicted.incrementAndGet();
        } else {
          // The next scan of the directory finds the entry again.
          entries.remove(name);
          changedByOthers = true;
        }
      }
    } finally {
      synchronized (readings) {
        leaving.remove(name);
      }
    }
  }

  private static boolean isFree(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException inThisProcess) {
      return false;
    }
  }

  private void delete(String name, Path file) throws IOException {
    long cost;
    try {
      cost = costOfFile(Files.size(file));
    } catch (NoSuchFileException gone) {
      entries.remove(name);
      return;
    }
    disk.delete(file);
    entries.remove(name);
    note(-cost);
  }

  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private void locked(Work work) throws IOException {
    lockedWithin(Long.MAX_VALUE, work);
  }

  /** Runs work under the account's lock, unless other threads hold the lock for {@code millis}. */
  private void lockedWithin(long millis, Work work) throws IOException {
    long begun = disk.nanos();
    try {
      if (!accountLock.tryLock(millis, TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw interrupted(interrupted);
    }
    // If another thread has meanwhile waited in vain for a process, this thread tries only once.
    long patience = begun < gaveUpAt ? 0 : PATIENCE_MILLIS;
    try (FileLock lock = lockMark(disk.nanos() + TimeUnit.MILLISECONDS.toNanos(patience))) {
      readAccount();
      work.run();
      // If an interrupt has released the lock early, other processes may have made changes.
      doubtful |= !lock.isValid();
    } catch (ClosedByInterruptException interrupted) {
      doubtful = true;
      throw interrupted(interrupted);
    } catch (IOException | RuntimeException | Error failure) {
      doubtful = true;
      throw failure;
    } finally {
      accountLock.unlock();
    }
  }

  private IOException isLocked() {
    return new IOException(
        "%s was locked by another process for %d ms; it may have been stopped"
            .formatted(directory.resolve(MARK), PATIENCE_MILLIS));
  }

  private FileLock lockMark(long deadline) throws IOException {
    while (true) {
      if (mark == null || !mark.isOpen()) {
        mark = openMark();
        markKey = keyOfMark();
        doubtful = true;
      }
      if (Thread.currentThread().isInterrupted()) {
        throw interrupted(null);
      }
      try {
        FileLock lock = mark.tryLock();
        if (lock != null && isMarkInPlace()) {
          return lock;
        }
        if (lock != null) {
          mark.close(); // the mark was deleted, or replaced by another file
        }
      } catch (OverlappingFileLockException anotherClassLoader) {
        // An instance of another class loader counts as another process.
        changedByOthers = true;
      }
      if (disk.nanos() > deadline) {
        gaveUpAt = disk.nanos();
        throw isLocked();
      }
      // The JDK cannot wait for another process's lock for a limited time.
      LockSupport.parkNanos(BETWEEN_TRIALS_NANOS);
    }
  }

  /** Returns the file system's identifier of the mark; null without a mark or an identifier. */
  private @Nullable Object keyOfMark() throws IOException {
    BasicFileAttributes attributes = attributes(directory.resolve(MARK));
    return attributes == null ? null : attributes.fileKey();
  }

  private boolean isMarkInPlace() {
    try {
      return Objects.equals(markKey, keyOfMark());
    } catch (IOException unknown) {
      return false; // opening the mark anew reports the failure
    }
  }

  private FileChannel openMark() throws IOException {
    Path foreign = foreignIn(directory);
    if (foreign != null) {
      throw new IOException(isForeign(directory, foreign));
    }
    FileChannel channel = disk.openMark(directory.resolve(MARK));
    try {
      ByteBuffer text = ByteBuffer.allocate(TEXT.length());
      int read = channel.read(text, 0);
      String found = new String(text.array(), 0, Math.max(read, 0), US_ASCII);
      if (!TEXT.startsWith(found)) {
        throw FormatException.in(
            directory.resolve(MARK),
            "this is not a cache of this version of Feedline; it begins with '%s'. Give another directory"
                .formatted(found.strip()));
      }
      if (found.length() < TEXT.length()) {
        disk.write(channel, ByteBuffer.wrap(TEXT.getBytes(US_ASCII)), 0);
      }
      return channel;
    } catch (IOException | RuntimeException | Error failure) {
      channel.close();
      throw failure;
    }
  }

  private void readAccount() throws IOException {
    ByteBuffer account = ByteBuffer.allocate(ACCOUNT_BYTES);
    boolean whole = mark.read(account, ACCOUNT) == ACCOUNT_BYTES;
    account.flip();
    if (!whole || account.getLong(2 * Long.BYTES) != checksum(account)) {
      doubtful = true;
    } else {
      bytes = account.getLong();
      long found = account.getLong();
      changedByOthers |= found != changes;
      changes = found;
    }
    if (doubtful) {
      look();
    }
  }

  private void note(long more) throws IOException {
    bytes += more;
    changes++;
    ByteBuffer account = ByteBuffer.allocate(ACCOUNT_BYTES);
    account.putLong(bytes).putLong(changes);
    account.putLong(checksum(account)).flip();
    disk.write(mark, account, ACCOUNT);
  }

  private static long checksum(ByteBuffer account) {
    CRC32C crc = new CRC32C();
    crc.update(account.duplicate().position(0).limit(2 * Long.BYTES));
    return crc.getValue();
  }

  private void look() throws IOException {
    long sum = OVERHEAD;
    Set<String> found = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        var ours = OURS.matcher(file.getFileName().toString());
        BasicFileAttributes attributes = ours.matches() ? attributes(file) : null;
        if (attributes == null) {
          continue;
        }
        String name = ours.group(1);
        long cost = costOfFile(attributes.size());
        if (ours.group(2).equals(ENTRY)) {
          entries.found(name, cost, attributes.lastModifiedTime().toMillis());
          found.add(name);
          sum += cost;
        } else if (writing.contains(name) || !deleteIfLeft(file)) {
          sum += cost;
        }
      }
    }
    entries.retain(found);
    doubtful = false;
    changedByOthers = false;
    lookedAt = disk.nanos();
    note(sum - bytes);
  }

  private static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return attributes.isRegularFile() ? attributes : null;
    } catch (NoSuchFileException gone) {
      return null;
    }
  }

  private boolean deleteIfLeft(Path part) throws IOException {
    try (FileChannel channel = disk.openToLock(part)) {
      if (!isFree(channel)) {
        return false;
      }
      disk.delete(part);
      return true;
    }
  }

  long measure() throws IOException {
    long[] measured = new long[1];
    locked(
        () -> {
          look();
          measured[0] = bytes;
        });
    return measured[0];
  }

  @Override
  public void close() throws IOException {
    synchronized (OPEN) {
      if (--owners > 0) {
        return;
      }
      OPEN.remove(directory);
    }
    if (mark != null) {
      mark.close();
    }
  }
}
