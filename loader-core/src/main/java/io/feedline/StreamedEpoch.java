package io.feedline;

import io.feedline.data.Dataset;
import io.feedline.internal.Counts;
import io.feedline.stats.internal.WorkerClock;
import java.io.EOFException;
import java.io.IOError;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An epoch of a dataset that is read from front to back: one worker at a time reads, all of them
 * make samples out of what was read. Since the order of reading is the order of the rows, the
 * batches do not depend on the number of workers.
 *
 * <p>Workers read under a lock of this object's own, in which the engine's may be taken, never the
 * other way round.
 */
final class StreamedEpoch<T> implements EpochSource<T> {

  private static final Logger LOG = LoggerFactory.getLogger(StreamedEpoch.class);

  private final String name;
  private final EpochStream<T> stream;
  private final long epoch;
  private final int batchSize;
  private final boolean dropLast;
  private final long firstPosition;
  private final long rounding;
  private final OptionalLong limit;
  private final OptionalLong declared;
  private final boolean evenSteps;
  private final Set<Long> ahead;
  private final List<Long> mark;

  private final ReentrantLock reading = new ReentrantLock();
  private long position;
  private boolean begun;
  private boolean streamClosed;
  private boolean warned;
  private boolean lost;

  private long next;
  private volatile boolean ended;
  private volatile boolean closed;

  /**
   * The epoch from one of its samples on.
   *
   * @param stream all samples of the epoch; opened when the first is read, closed by this object
   * @param firstPosition how many samples to leave out
   * @param rounding by how much that may exceed the samples that there are
   * @param limit after which position the epoch ends, whatever the stream still has; samples that
   *     it has not got before that fail
   * @param declared how many samples the dataset says that there are
   * @param evenSteps whether each rank makes as many steps
   * @param ahead numbers of batches that were delivered ahead of the first and are left out
   * @param mark where the stream stood at the first position or before it; empty: not known
   */
  StreamedEpoch(
      String name,
      EpochStream<T> stream,
      long epoch,
      int batchSize,
      boolean dropLast,
      long firstPosition,
      long rounding,
      OptionalLong limit,
      OptionalLong declared,
      boolean evenSteps,
      Set<Long> ahead,
      List<Long> mark) {
    this.name = name;
    this.stream = stream;
    this.epoch = epoch;
    this.batchSize = batchSize;
    this.dropLast = dropLast;
    this.firstPosition = firstPosition;
    this.rounding = rounding;
    this.position = firstPosition;
    this.limit = limit;
    this.declared = declared;
    this.evenSteps = evenSteps;
    this.ahead = ahead;
    this.mark = mark;
    this.next = firstBatch();
    leaveOutNumbers();
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public OptionalLong batches() {
    return OptionalLong.empty();
  }

  @Override
  public long firstBatch() {
    return (firstPosition + batchSize - 1) / batchSize;
  }

  @Override
  public long endBatch() {
    return Long.MAX_VALUE;
  }

  @Override
  public String datasetName() {
    return name;
  }

  @Override
  public boolean evenSteps() {
    return evenSteps;
  }

  @Override
  public Optional<Dataset<T>> dataset() {
    return Optional.empty();
  }

  @Override
  public int nextCapacity() {
    return ended ? 0 : batchSize;
  }

  @Override
  public BatchRows<T> open(int capacity) {
    Rows rows = new Rows(next++, capacity);
    leaveOutNumbers();
    return rows;
  }

  private void leaveOutNumbers() {
    while (ahead.contains(next)) {
      next++;
    }
  }

  /** Rows that are claimed as their samples are read; the worker that read one makes it. */
  private final class Rows implements BatchRows<T> {
    private final long number;

    /** The read samples that are not made yet, by row. */
    private final StreamedSample<T>[] read;

    private final long[] positions;

    // The places they come from, for errors.
    private final int[] shards;
    private final long[] ordinals;

    /** The position of the stream behind the last row; final when the batch is done. */
    private List<Long> end = List.of();

    @SuppressWarnings("unchecked") // Filled with draws of T only.
    Rows(long number, int capacity) {
      this.number = number;
      this.read = (StreamedSample<T>[]) new StreamedSample<?>[capacity];
      this.positions = new long[capacity];
      this.shards = new int[capacity];
      this.ordinals = new long[capacity];
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public int claim(BatchTask<T> task, WorkerClock clock) {
      clock.waitToRead(reading);
      try {
        int row = task.claims();
        if (row >= read.length) {
          return -1;
        }
        StreamedSample<T> drawn = closed ? null : read();
        if (drawn == null) {
          ended = true;
          end = markHere();
          task.endAt(row, dropLast);
          return -1;
        }
        read[row] = drawn;
        shards[row] = drawn.shard();
        ordinals[row] = drawn.ordinal();
        positions[row] = position++;
        if (row == read.length - 1) {
          end = markHere();
        }
        return task.claim(row) ? row : -1;
      } finally {
        reading.unlock();
        closeIfAsked();
      }
    }

    @Override
    public boolean claimsWait() {
      return true;
    }

    @Override
    public long index(int row) {
      return positions[row];
    }

    @Override
    public T get(int row, long index, WorkerContext context) throws Exception {
      return read[row].get(context);
    }

    @Override
    public boolean isSample(int row) {
      return ordinals[row] >= 0;
    }

    @Override
    public void release(int row) {
      read[row] = null;
    }

    @Override
    public String describe(int row, long index) {
      String position = "position " + index + " of the stream";
      return shards[row] == StreamedSample.NO_SHARD
          ? position
          : position + ", " + stream.describe(shards[row], ordinals[row]);
    }

    @Override
    public List<Long> mark() {
      return end;
    }
  }

  /**
   * Returns the position of the stream; if the stream fails to tell it, reading resumes at the
   * beginning.
   */
  private List<Long> markHere() {
    if (closed || lost) {
      return List.of();
    }
    try {
      return stream.mark();
    } catch (RuntimeException | Error e) {
      LOG.warn("the stream of {} does not report its position", name, e);
      return List.of();
    }
  }

  /** The next sample; null at the end. */
  private @Nullable StreamedSample<T> read() {
    if (ended || lost || position >= limit.orElse(Long.MAX_VALUE)) {
      return null;
    }
    try {
      goToPosition();
      StreamedSample<T> drawn = stream.next();
      if (drawn == null && limit.isPresent() && !closed) {
        return missing();
      }
      boolean fewer = drawn == null && !closed && position < declared.orElse(0);
      boolean more = drawn != null && position >= declared.orElse(Long.MAX_VALUE);
      if ((fewer || more) && !warned) {
        warned = true;
        LOG.warn(
            "{} declares {}, but delivers {} in epoch {}",
            name,
            Counts.of(declared.getAsLong(), "sample"),
            more ? "more" : position,
            epoch);
      }
      return drawn;
    } catch (Throwable failure) {
      // It takes the place of the sample that could not be read.
      return new StreamedSample<>(null, failure, StreamedSample.NO_SHARD, StreamedSample.LOST);
    }
  }

  /** A sample that a shard declares and has not got, which would make this rank's epoch shorter. */
  private StreamedSample<T> missing() {
    return new StreamedSample<>(
        null,
        new EOFException(
            "the shards of this rank end after %s in epoch %d, and declare %d or more (shardSize)"
                .formatted(Counts.of(position, "sample"), epoch, limit.getAsLong())),
        StreamedSample.NO_SHARD,
        0);
  }

  /** Leaves out what was delivered before; where that fails, no sample is in its place any more. */
  private void goToPosition() {
    try {
      if (!begun) {
        begun = true;
        long reached = stream.goTo(firstPosition, mark);
        if (reached < firstPosition - rounding) {
          throw new EOFException(
              "epoch %d of %s has %s for this rank, and the loader's state stands behind %d: the data have been changed, or the state"
                  .formatted(epoch, name, Counts.of(reached, "sample"), firstPosition));
        }
      }
      while (ahead.contains(firstBatch() + (position - firstPosition) / batchSize)) {
        stream.skip(batchSize);
        position += batchSize;
      }
    } catch (Exception | Error failure) {
      lost = true;
      throw failure instanceof Error error ? error : new IOError(failure);
    }
  }

  @Override
  public void close() {
    closed = true;
    closeIfAsked();
  }

  /** Closes the stream, unless a worker reads: that closes it after reading. */
  private void closeIfAsked() {
    if (closed && reading.tryLock()) {
      try {
        if (!streamClosed) {
          streamClosed = true;
          stream.close();
        }
      } catch (IOException | RuntimeException | Error e) {
        LOG.warn("closing the stream of {} failed", name, e);
      } finally {
        reading.unlock();
      }
    }
  }
}
