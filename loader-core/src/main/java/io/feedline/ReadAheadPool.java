package io.feedline;

import io.feedline.data.SampleReader;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.internal.ReadMeter;
import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reads that a loader begins before its workers need them, and the threads that perform them.
 *
 * <h2>Implementation note</h2>
 *
 * <p><b>Order.</b> Reads are announced in the order in which they will be needed, and begun in that
 * order. A worker does a read itself if the read has not begun, and waits for a read that is under
 * way. Bytes that two samples need at the same time are read once.
 *
 * <p><b>Budget.</b> A thread does one read at a time, so the threads bound the reads under way.
 * Bytes are reserved before they are read. The bytes of a range are reserved when its read begins.
 * The size of a file is known only when the file is opened, so {@link ReadMeter#expect} reserves
 * its bytes, and waits for room. The bytes count until a worker takes them. No deadlock is
 * possible: a read that a worker waits for needs no room, and a read that has not begun is done by
 * the worker that needs it.
 *
 * <p><b>Merging.</b> A range is read together with near ranges of the same file, as long as at
 * least half of the bytes will be used, up to {@link #mostMerged} bytes.
 *
 * <p><b>Cancelling.</b> A read that no sample wants any more is not begun, and not waited for; a
 * read that is under way ends by itself, and its bytes are thrown away.
 *
 * <p>One lock guards everything here and in the {@link ReadAheadWindow}; nothing is read under it.
 */
final class ReadAheadPool {

  private static final Logger LOG = LoggerFactory.getLogger(ReadAheadPool.class);

  private static final int MERGED_READS = 16;

  private final long mostBytes;

  private final LongConsumer begun;

  private int mostReads;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition room = lock.newCondition();
  private final Workers threads;
  private int started;
  private int idle;

  private final Map<Key, PendingRead<?>> reads = new HashMap<>();

  /** The reads that have not begun, in the order in which they are needed. */
  private final Set<PendingRead<?>> waiting = new LinkedHashSet<>();

  /** The waiting reads of ranges, by file and offset. */
  private final Map<Key, NavigableMap<Long, PendingRead<?>>> ranges = new HashMap<>();

  private final ArrayDeque<Runnable> jobs = new ArrayDeque<>();

  private long waitingBytes;

  /** The bytes that are reserved or in memory. */
  private long held;

  private boolean closed;

  /**
   * Creates a pool whose threads start when they are needed.
   *
   * @param mostReads the largest number of reads under way; 0: only workers read
   * @param begun receives the position of each sample whose read begins; called under the lock
   */
  ReadAheadPool(String name, int mostReads, long mostBytes, LongConsumer begun) {
    this.mostReads = mostReads;
    this.mostBytes = mostBytes;
    this.begun = begun;
    this.threads = new Workers(name + "-read-ahead");
  }

  private enum State {
    WAITING,
    RUNNING,
    DONE
  }

  /** A reader, compared by identity, and the index or the file that it reads. */
  private record Key(SampleReader<?> reader, Object what) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && key.reader == reader && key.what.equals(what);
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(reader) * 31 + what.hashCode();
    }
  }

  /** A read that was announced. Guarded by the pool's lock. */
  static final class PendingRead<R> {
    private final SampleReader<R> reader;
    private final long index;

    /** The range of a file that is read; null if it is unknown. */
    private final FileRange range;

    private final CountDownLatch done = new CountDownLatch(1);
    private State state = State.WAITING;

    private int users;

    /** The positions of the samples that need the read; unused once the read has begun. */
    private long[] positions = new long[1];

    private int positioned;

    /** True if a worker waits for the read, so that the read needs no room. */
    private boolean wanted;

    private long reserved;
    private R value;
    private Throwable failure;

    /** The number of bytes read, charged to the batch of the first worker that takes them. */
    private long metered;

    private PendingRead(SampleReader<R> reader, long index) {
      this.reader = reader;
      this.index = index;
      this.range = reader.range(index).orElse(null);
    }

    SampleReader<R> reader() {
      return reader;
    }

    long index() {
      return index;
    }

    boolean is(SampleReader<?> other, long otherIndex) {
      return reader == other && index == otherIndex;
    }

    private long length() {
      return range == null ? 0 : range.length();
    }

    private void addPosition(long position) {
      if (positioned == positions.length) {
        positions = Arrays.copyOf(positions, 2 * positioned);
      }
      positions[positioned++] = position;
    }
  }

  /**
   * Reads that are done together.
   *
   * @param whole the range that is read at once; null for a single read of unknown range
   */
  private record Group(List<PendingRead<?>> reads, @Nullable FileRange whole) {}

  ReentrantLock lock() {
    return lock;
  }

  // ---- by workers and windows: under the lock ---------------------------------------------------

  /**
   * Announces a read for a sample. The caller takes or releases the result, once for each call.
   *
   * @param position the position of the sample in the order; negative if it has no position
   */
  <R> PendingRead<R> announce(SampleReader<R> reader, long index, long position) {
    Key key = new Key(reader, index);
    @SuppressWarnings("unchecked")
    PendingRead<R> read = (PendingRead<R>) reads.get(key);
    if (read == null) {
      read = new PendingRead<>(reader, index);
      reads.put(key, read);
      if (!closed && bytesFor(read) <= mostBytes) {
        enqueue(read);
      }
    }
    read.users++;
    if (position >= 0) {
      if (read.state == State.WAITING) {
        read.addPosition(position);
      } else {
        begun.accept(position);
      }
    }
    wakeOrStartThread();
    return read;
  }

  private void begin(PendingRead<?> read) {
    dequeue(read);
    read.state = State.RUNNING;
    for (int i = 0; i < read.positioned; i++) {
      begun.accept(read.positions[i]);
    }
    read.positioned = 0;
  }

  private void enqueue(PendingRead<?> read) {
    waiting.add(read);
    if (read.range != null) {
      waitingBytes += read.length();
      // A second read at the same offset is not merged with other reads.
      ranges
          .computeIfAbsent(fileOf(read), key -> new TreeMap<>())
          .putIfAbsent(read.range.offset(), read);
    }
  }

  private static Key fileOf(PendingRead<?> read) {
    return new Key(read.reader, read.range.file());
  }

  private void dequeue(PendingRead<?> read) {
    if (!waiting.remove(read) || read.range == null) {
      return;
    }
    waitingBytes -= read.length();
    Key file = fileOf(read);
    NavigableMap<Long, PendingRead<?>> ofFile = ranges.get(file);
    if (ofFile != null && ofFile.remove(read.range.offset(), read) && ofFile.isEmpty()) {
      ranges.remove(file);
    }
  }

  void release(PendingRead<?> read) {
    if (--read.users > 0) {
      return;
    }
    if (read.state == State.RUNNING) {
      // Wakes a read that waits for room, to end it. Until then another sample may still use it.
      room.signalAll();
    } else {
      dequeue(read);
      forget(read);
    }
    wakeOrStartThread();
  }

  private void forget(PendingRead<?> read) {
    reads.remove(new Key(read.reader, read.index));
    freeBytes(read);
  }

  private void freeBytes(PendingRead<?> read) {
    read.value = null;
    held -= read.reserved;
    read.reserved = 0;
    room.signalAll();
  }

  /** Returns whether more reads may be announced: held and waiting bytes are below the budget. */
  boolean wantsMore() {
    return !closed && held + waitingBytes < mostBytes;
  }

  /** Runs a job on a thread of the pool, without the lock. */
  void execute(Runnable job) {
    jobs.add(job);
    wakeOrStartThread();
  }

  // ---- by workers -------------------------------------------------------------------------------

  /** Returns the result of a read: does the read, waits for it, or finds it done. */
  <R> R take(PendingRead<R> read) throws Exception {
    boolean begin;
    lock.lock();
    try {
      begin = read.state == State.WAITING;
      if (begin) {
        begin(read);
      } else if (read.state == State.RUNNING) {
        read.wanted = true;
        room.signalAll();
      }
    } finally {
      lock.unlock();
    }
    try {
      if (begin) {
        perform(read, null);
      } else {
        read.done.await();
      }
      return result(read);
    } finally {
      lock.lock();
      try {
        release(read);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Does a read on the calling thread.
   *
   * @param meter the counter of the bytes; null on a worker, which charges its batch itself
   */
  private <R> void perform(PendingRead<R> read, @Nullable ReadMeter meter) {
    R value = null;
    Throwable failure = null;
    long bytes = 0;
    try {
      R result =
          Objects.requireNonNull(read.reader.read(read.index), "the result of a read is null");
      bytes = read.reader.byteSize(result);
      value = result;
    } catch (Throwable t) {
      failure = t;
    }
    complete(read, value, failure, meter == null ? 0 : meter.take(), bytes);
  }

  private <R> R result(PendingRead<R> read) throws Exception {
    R value;
    Throwable failure;
    long metered;
    lock.lock();
    try {
      value = read.value;
      failure = read.failure;
      metered = read.metered;
      // Only the first sample gets the failure and byte count; after a failure others read again.
      read.failure = null;
      read.metered = 0;
    } finally {
      lock.unlock();
    }
    if (value != null) {
      ReadMeter.add(metered);
      return value;
    }
    if (failure instanceof Exception exception) {
      throw exception;
    }
    if (failure != null) {
      // An Error may concern the thread and not the sample: there may be memory now.
      LOG.debug("{} is read once more", read.index, failure);
    }
    return read.reader.read(read.index);
  }

  // ---- by the pool's threads --------------------------------------------------------------------

  private void wakeOrStartThread() {
    if (closed || !(canBegin() || !jobs.isEmpty())) {
      return;
    }
    if (idle > 0) {
      work.signal();
    } else if (started < mostReads) {
      try {
        threads.start(started + 1, number -> run());
        started++;
      } catch (OutOfMemoryError noThread) {
        LOG.warn("only {} threads read ahead; there could not be more", started, noThread);
        mostReads = started;
      }
    }
  }

  private boolean canBegin() {
    if (waiting.isEmpty() || mostReads == 0) {
      return false;
    }
    PendingRead<?> first = waiting.iterator().next();
    return first.range == null ? held < mostBytes : held + bytesFor(first) <= mostBytes;
  }

  /** Returns the bytes to reserve for a read: a range is in memory twice while parts are copied. */
  private static long bytesFor(PendingRead<?> read) {
    return 2 * read.length();
  }

  private void run() {
    lock.lock();
    try {
      while (!closed) {
        // An interrupt that a reader left behind does not concern the next read.
        Thread.interrupted();
        Runnable job = jobs.poll();
        Group group = job == null ? nextGroup() : null;
        if (job == null && group == null) {
          idle++;
          work.awaitUninterruptibly();
          idle--;
          continue;
        }
        wakeOrStartThread();
        lock.unlock();
        try {
          if (job != null) {
            job.run();
          } else {
            read(group);
          }
        } finally {
          lock.lock();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private Group nextGroup() {
    if (!canBegin()) {
      return null;
    }
    PendingRead<?> first = waiting.iterator().next();
    List<PendingRead<?>> group = new ArrayList<>();
    group.add(first);
    FileRange whole = first.range == null ? null : merge(first, group);
    for (PendingRead<?> read : group) {
      begin(read);
      read.reserved = read.length();
      held += read.reserved;
    }
    if (whole != null) {
      held += whole.length();
    }
    return new Group(group, whole);
  }

  private long mostMerged() {
    return mostBytes / MERGED_READS;
  }

  private FileRange merge(PendingRead<?> first, List<PendingRead<?>> group) {
    NavigableMap<Long, PendingRead<?>> ofFile =
        ranges.getOrDefault(fileOf(first), Collections.emptyNavigableMap());
    long begin = first.range.offset();
    long end = first.range.end();
    long used = first.length();
    long lowest = begin;
    long highest = begin;
    while (true) {
      Map.Entry<Long, PendingRead<?>> above = ofFile.higherEntry(highest);
      Map.Entry<Long, PendingRead<?>> below = ofFile.lowerEntry(lowest);
      if (above != null && mayJoin(begin, end, used, above.getValue())) {
        highest = above.getKey();
        end = Math.max(end, above.getValue().range.end());
        used += above.getValue().length();
        group.add(above.getValue());
      } else if (below != null && mayJoin(begin, end, used, below.getValue())) {
        lowest = below.getKey();
        begin = lowest;
        end = Math.max(end, below.getValue().range.end());
        used += below.getValue().length();
        group.add(below.getValue());
      } else {
        return new FileRange(first.range.file(), begin, end - begin);
      }
    }
  }

  private boolean mayJoin(long begin, long end, long used, PendingRead<?> other) {
    long length = Math.max(end, other.range.end()) - Math.min(begin, other.range.offset());
    long useful = used + other.length();
    return length <= mostMerged() && length <= 2 * useful && held + length + useful <= mostBytes;
  }

  private void read(Group group) {
    Throwable failure = null;
    try {
      if (group.whole() == null) {
        readAhead(group.reads().get(0));
      } else {
        Closeable range = group.reads().get(0).reader.openRange(group.whole());
        try {
          group.reads().forEach(this::readAhead);
        } finally {
          range.close();
        }
      }
    } catch (Throwable t) {
      failure = t;
    }
    lock.lock();
    try {
      for (PendingRead<?> read : group.reads()) {
        if (read.state != State.DONE) {
          // The failure of the merged range may not concern this sample: a worker reads it alone.
          complete(read, null, null, 0, 0);
        }
      }
      if (group.whole() != null) {
        held -= group.whole().length();
        room.signalAll();
      }
    } finally {
      lock.unlock();
    }
    if (failure != null) {
      LOG.debug("{} could not be read at once", group.whole(), failure);
    }
  }

  private void readAhead(PendingRead<?> read) {
    if (locked(() -> read.users == 0)) {
      complete(read, null, null, 0, 0);
      return;
    }
    ReadMeter meter = new ReadMeter(bytes -> awaitRoom(read, bytes));
    ReadMeter before = meter.enter();
    try {
      perform(read, meter);
    } finally {
      ReadMeter.restore(before);
    }
  }

  private <R> R locked(Supplier<R> state) {
    lock.lock();
    try {
      return state.get();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for room, and reserves the bytes of a read whose size is known only now. */
  private void awaitRoom(PendingRead<?> read, long bytes) {
    lock.lock();
    try {
      while (held + bytes > mostBytes && !read.wanted && read.users > 0 && !closed) {
        room.awaitUninterruptibly();
      }
      if (read.wanted) {
        return;
      }
      if (read.users == 0 || closed) {
        throw new CancellationException("the epoch was broken off");
      }
      read.reserved += bytes;
      held += bytes;
    } finally {
      lock.unlock();
    }
  }

  private <R> void complete(
      PendingRead<R> read, R value, Throwable failure, long metered, long bytes) {
    lock.lock();
    try {
      read.value = value;
      // A worker that needs a cancelled read does the read itself.
      read.failure = failure instanceof CancellationException ? null : failure;
      read.metered = metered;
      read.state = State.DONE;
      if (read.reserved == 0 && !read.wanted) {
        // The reader did not report the number of bytes during the read.
        read.reserved = Math.max(metered, bytes);
        held += read.reserved;
      }
      if (read.users == 0) {
        forget(read);
      } else if (value == null) {
        freeBytes(read);
      }
      read.done.countDown();
      wakeOrStartThread();
    } finally {
      lock.unlock();
    }
  }

  // ---- the end ----------------------------------------------------------------------------------

  void shutDown() {
    lock.lock();
    try {
      closed = true;
      jobs.clear();
      work.signalAll();
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  Workers threads() {
    return threads;
  }

  long held() {
    return locked(() -> held);
  }

  int pending() {
    return locked(reads::size);
  }
}
