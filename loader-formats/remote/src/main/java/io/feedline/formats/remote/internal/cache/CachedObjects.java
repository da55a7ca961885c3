package io.feedline.formats.remote.internal.cache;

import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.RemoteFileSystem.ObjectChangedException;
import io.feedline.formats.remote.internal.s3.ObjectReader;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.internal.ReadOrderListener;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of objects that keeps the bytes of another reader, its origin, in a cache on the disk.
 *
 * <h2>Principle</h2>
 *
 * <p>A read is cut into {@linkplain CacheLine lines}. A line that is in the cache is read from
 * there.
 *
 * <p>If another thread is fetching a line, the reader waits for it, and copies the line from
 * memory.
 *
 * <p>For any other line, the reader reserves bytes in the cache. With a reservation, it fetches the
 * whole line, and a thread of the cache writes the line later; meanwhile other readers copy it from
 * memory. Without a reservation, it reads only the requested bytes, and those of neighboring lines
 * in the same request: a full cache takes no more time than no cache. There is no reservation if
 * keeping the line saves fewer bytes than it costs, if the cache has no room, or, for a slow disk,
 * while too many bytes wait to be written.
 *
 * <p>A fetch ends in a {@link Fetch.State}, which tells waiting readers to copy the bytes, to read
 * for themselves, to take over, or to fail.
 *
 * <p>If the cache itself fails, a warning is logged once, and the bytes are read from the origin.
 * If writing fails, nothing is written for a minute.
 *
 * <p>Thread-safe. The caller closes this object after the last read, and before the origin.
 */
public final class CachedObjects implements ObjectReader {

  private static final Logger LOG = LoggerFactory.getLogger(CachedObjects.class);

  private static final int WRITERS = 4;
  private static final long WRITERS_STAY_SECONDS = 5;

  /** The limit of bytes that wait to be written: 32 MiB, in units of {@link #BACKLOG_UNIT}. */
  private static final int BACKLOG = 1 << 13;

  private static final int BACKLOG_UNIT = 1 << 12;

  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LAST_WRITES_SECONDS = 60;

  private static final AtomicInteger WRITER_NUMBER = new AtomicInteger();

  private final DiskCache options;
  private final ObjectReader origin;
  private final CacheDisk disk;

  /** The cache's directory; null if opening failed, so that all bytes are read from the origin. */
  private final CacheDirectory directory;

  private final ConcurrentMap<CacheLine, Fetch> fetches = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor writers;
  private final Semaphore backlog = new Semaphore(BACKLOG);

  private final Set<NextUse> orders = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private final AtomicBoolean warned = new AtomicBoolean();
  private final AtomicBoolean saidUnversioned = new AtomicBoolean();
  private volatile boolean paused;
  private volatile long pausedAt;

  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder hitBytes = new LongAdder();
  private final LongAdder originBytes = new LongAdder();
  private final LongAdder askedBytes = new LongAdder();
  private final LongAdder broken = new LongAdder();

  /** The counters of this reader; {@code evicted} counts for all readers of the directory. */
  record Stats(
      long hits, long misses, long hitBytes, long originBytes, long evicted, long broken) {}

  public CachedObjects(DiskCache options, ObjectReader origin) {
    this(options, origin, new CacheDisk());
  }

  CachedObjects(DiskCache options, ObjectReader origin, CacheDisk disk) {
    this.options = options;
    this.origin = origin;
    this.disk = disk;
    this.directory = open();
    this.writers =
        new ThreadPoolExecutor(
            WRITERS,
            WRITERS,
            WRITERS_STAY_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread =
                  new Thread(task, "feedline-cache-writer-" + WRITER_NUMBER.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    writers.allowCoreThreadTimeOut(true);
  }

  private CacheDirectory open() {
    CacheDirectory opened;
    try {
      opened = CacheDirectory.open(options.directory(), disk);
    } catch (IOException unusable) {
      warn("so data is read from its origin", unusable);
      return null;
    }
    try {
      opened.shrinkTo(options.cacheBytes());
    } catch (IOException readOnly) {
      pause(readOnly);
    }
    return opened;
  }

  /** Adds an order of reads; for an order that was added before, looks up its next uses again. */
  synchronized void follow(NextUse order) {
    if (directory != null && !closed) {
      orders.add(order);
      directory.entries().add(order);
    }
  }

  synchronized void leave(NextUse order) {
    if (orders.remove(order)) {
      directory.entries().remove(order);
    }
  }

  @Override
  public ReadOrderListener listener(URI root) {
    return new ReadOrderListener() {
      @Override
      public String name() {
        return "cache";
      }

      @Override
      public Reads follow(Progress progress) {
        return new LineReads(root, options.lineBytes(), progress, CachedObjects.this);
      }
    };
  }

  @Override
  public String server() {
    return origin.server();
  }

  @Override
  public RemoteObject stat(URI uri) throws IOException {
    return origin.stat(uri);
  }

  @Override
  public void list(URI prefix, Consumer<RemoteObject> sink) throws IOException {
    origin.list(prefix, sink);
  }

  @Override
  public void read(RemoteObject object, long position, ByteBuffer target) throws IOException {
    if (closed) {
      throw new IllegalStateException(object.uri() + " is read after its reader was closed");
    }
    long end = position + target.remaining();
    if (end > object.size()) {
      throw new EOFException(
          "%s has %d bytes; %d are expected at offset %d"
              .formatted(object.uri(), object.size(), target.remaining(), position));
    }
    if (directory == null || !isVersioned(object)) {
      readOrigin(object, position, target);
      return;
    }
    int start = target.position();
    long past = position; // the bytes from past to at are to be read from the origin
    long at = position;
    while (at < end) {
      CacheLine line = CacheLine.at(object, options.lineBytes(), at);
      int offset = (int) (at - line.start());
      int length = (int) Math.min(line.length() - offset, end - at);
      ByteBuffer part = part(target, start, at - position, length);
      if (fill(line, offset, part)) {
        readOrigin(object, past, part(target, start, past - position, (int) (at - past)));
        past = at + length;
      }
      at += length;
    }
    readOrigin(object, past, part(target, start, past - position, (int) (end - past)));
    target.position(target.limit());
    askedBytes.add(end - position);
  }

  private static ByteBuffer part(ByteBuffer target, int start, long offset, int length) {
    int from = start + (int) offset;
    return target.duplicate().limit(from + length).position(from);
  }

  private boolean isVersioned(RemoteObject object) {
    if (!object.version().isEmpty()) {
      return true;
    }
    if (saidUnversioned.compareAndSet(false, true)) {
      LOG.warn(
          "{} is not cached, and others of that server may not be either: it sends no strong ETag,"
              + " so nothing would tell old bytes from new ones",
          object.uri());
    }
    return false;
  }

  private void readOrigin(RemoteObject object, long position, ByteBuffer target)
      throws IOException {
    int length = target.remaining();
    if (length > 0) {
      origin.read(object, position, target);
      originBytes.add(length);
    }
  }

  /** Fills a part of a line; returns false if the caller must read the part from the origin. */
  private boolean fill(CacheLine line, int offset, ByteBuffer part) throws IOException {
    byte[] identity = line.identity(origin.server());
    while (true) {
      Fetch fetch = fetches.get(line);
      if (fetch == null) {
        if (readCache(line, identity, offset, part)) {
          return true;
        }
        Fetch mine = new Fetch();
        fetch = fetches.putIfAbsent(line, mine);
        if (fetch == null) {
          return fetch(line, identity, mine, offset, part);
        }
      }
      switch (fetch.await(line)) {
        case BYTES -> {
          ByteBuffer bytes = fetch.bytes();
          hit(part.remaining());
          part.put(bytes.slice(offset, part.remaining()));
          return true;
        }
        case PASSED -> {
          misses.increment();
          return false;
        }
        default -> fetches.remove(line, fetch); // abandoned: this thread takes over
      }
    }
  }

  private boolean readCache(CacheLine line, byte[] identity, int offset, ByteBuffer part)
      throws IOException {
    int length = part.remaining();
    try {
      if (directory.read(line, identity, offset, part)) {
        hit(length);
        return true;
      }
      return false;
    } catch (InterruptedIOException interrupted) {
      throw interrupted;
    } catch (IOException damaged) {
      broken.increment();
      warn("so what is damaged is read from its origin", damaged);
      return false;
    }
  }

  private void hit(int bytes) {
    hits.increment();
    hitBytes.add(bytes);
  }

  private boolean fetch(CacheLine line, byte[] identity, Fetch mine, int offset, ByteBuffer part)
      throws IOException {
    boolean written = false;
    try {
      if (directory.entries().has(CacheLine.name(identity))
          && readCache(line, identity, offset, part)) {
        // Another thread finished the fetch after this thread had looked for the entry.
        return true;
      }
      misses.increment();
      Optional<CacheDirectory.Reservation> reservation = reserve(line, identity, part.remaining());
      if (reservation.isPresent()) {
        fetchToKeep(line, mine, offset, part, reservation.get());
        written = true;
        return true;
      }
      if (!line.isWhole() || part.remaining() < line.length()) {
        return false;
      }
      ByteBuffer copied = part.duplicate();
      readOrigin(line.object(), line.start(), part);
      if (mine.isAwaited()) {
        mine.succeed(ByteBuffer.allocate(copied.remaining()).put(copied).flip());
      }
      return true;
    } catch (InterruptedIOException | ClosedByInterruptException interrupted) {
      mine.abandon();
      throw interrupted;
    } catch (ObjectChangedException | FileNotFoundException gone) {
      mine.pass(); // a waiting reader gets the failure from the origin itself
      throw gone;
    } catch (IOException | RuntimeException | Error failure) {
      mine.fail(failure);
      throw failure;
    } finally {
      mine.pass();
      if (!written) {
        fetches.remove(line, mine);
      }
    }
  }

  private Optional<CacheDirectory.Reservation> reserve(CacheLine line, byte[] identity, int asked)
      throws InterruptedIOException {
    if (isPaused()
        || CacheLine.draw(identity) >= options.admitted()
        || !backlog.tryAcquire(units(line))) {
      return Optional.empty();
    }
    Optional<CacheDirectory.Reservation> reservation = Optional.empty();
    try {
      reservation =
          directory.reserve(line, identity, asked, options.cacheBytes(), eviction(line, asked));
    } catch (InterruptedIOException interrupted) {
      throw interrupted;
    } catch (IOException unable) {
      pause(unable);
    } finally {
      if (reservation.isEmpty()) {
        backlog.release(units(line));
      }
    }
    return reservation;
  }

  /**
   * Returns the choice of lines to delete. With LEAST_RECENTLY_USED, it is unknown whether all of
   * the new line will be read, so lines are deleted only while at most a tenth more bytes are
   * fetched than requested. Each read under way may exceed this limit by a line.
   */
  private DiskCache.Eviction eviction(CacheLine line, int asked) {
    boolean isCovered =
        asked == line.length()
            || 10 * (originBytes.sum() + line.length()) <= 11 * (askedBytes.sum() + asked);
    return options.eviction() == DiskCache.Eviction.LEAST_RECENTLY_USED && !isCovered
        ? DiskCache.Eviction.NONE
        : options.eviction();
  }

  private static int units(CacheLine line) {
    return Math.min(BACKLOG, (line.length() + BACKLOG_UNIT - 1) / BACKLOG_UNIT);
  }

  private void fetchToKeep(
      CacheLine line,
      Fetch mine,
      int offset,
      ByteBuffer part,
      CacheDirectory.Reservation reservation)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(line.length());
    boolean fetched = false;
    try {
      readOrigin(line.object(), line.start(), bytes);
      fetched = true;
    } finally {
      if (!fetched) {
        abandon(reservation);
        backlog.release(units(line));
      }
    }
    bytes.flip();
    mine.succeed(bytes);
    part.put(bytes.slice(offset, part.remaining()));
    try {
      writers.execute(() -> write(line, mine, bytes, reservation));
    } catch (RejectedExecutionException closing) {
      write(line, mine, bytes, reservation);
    }
  }

  private void write(
      CacheLine line, Fetch fetch, ByteBuffer bytes, CacheDirectory.Reservation reservation) {
    try {
      if (isPaused()) {
        reservation.abandon();
      } else {
        reservation.publish(bytes);
      }
    } catch (InterruptedIOException interrupted) {
      // The reader has its bytes, and a later read fetches the line again.
      Thread.currentThread().interrupt();
    } catch (IOException unable) {
      pause(unable);
    } finally {
      fetches.remove(line, fetch);
      backlog.release(units(line));
    }
  }

  private void abandon(CacheDirectory.Reservation reservation) {
    try {
      reservation.abandon();
    } catch (InterruptedIOException interrupted) {
      // The next scan of the directory deletes the file.
      Thread.currentThread().interrupt();
    } catch (IOException unable) {
      pause(unable);
    }
  }

  private boolean isPaused() {
    if (paused && disk.nanos() - pausedAt > PAUSE_NANOS) {
      paused = false;
    }
    return paused;
  }

  private void pause(IOException reason) {
    pausedAt = disk.nanos();
    paused = true;
    warn("so nothing is added to it for a minute, and what it has is still read", reason);
  }

  private void warn(String effect, IOException reason) {
    if (warned.compareAndSet(false, true)) {
      LOG.warn(
          "the cache in {} does not work as it should, {}: {}. Loading continues; this is logged"
              + " once",
          options.directory(),
          effect,
          reason.toString());
    } else {
      LOG.debug("the cache in {}", options.directory(), reason);
    }
  }

  void awaitWritten() throws InterruptedException {
    backlog.acquire(BACKLOG);
    backlog.release(BACKLOG);
  }

  Stats stats() {
    return new Stats(
        hits.sum(),
        misses.sum(),
        hitBytes.sum(),
        originBytes.sum(),
        directory == null ? 0 : directory.evicted(),
        broken.sum());
  }

  /** Writes the lines that wait; reading afterwards throws an {@link IllegalStateException}. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    writers.shutdown();
    try {
      if (!writers.awaitTermination(LAST_WRITES_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn(
            "the cache in {} is still writing after {} s; what is not written is fetched again",
            options.directory(),
            LAST_WRITES_SECONDS);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (directory == null) {
      return;
    }
    orders.forEach(directory.entries()::remove);
    orders.clear();
    try {
      directory.close();
    } catch (IOException failure) {
      warn("and is closed with an error", failure);
    }
  }
}
