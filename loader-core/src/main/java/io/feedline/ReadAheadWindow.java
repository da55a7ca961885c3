package io.feedline;

import io.feedline.data.Dataset.ReadAhead;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a loader's order that is read ahead. It moves along the epoch in front of the
 * workers, and announces the reads of the samples to the {@link ReadAheadPool}.
 *
 * <h2>Implementation note</h2>
 *
 * <p>The {@link Walk}, the announcing of an epoch's reads, moves from row to row. A worker that
 * takes a row advances the walk, up to {@link #horizon} samples in front of the workers, while the
 * pool has room. Each announced row is taken or given up once: by the worker that has claimed it,
 * or by the closing of the epoch. If workers are faster than the walk, a worker that takes a row
 * first announces this row and the rows before it. So no row is announced after it was taken.
 *
 * <p>At the end of its epoch, a walk makes a thread of the pool compute the order of the next
 * epoch, and continues there. When the next epoch begins, its own walk continues from the place
 * that was reached.
 *
 * <p>Guarded by the pool's lock.
 */
final class ReadAheadWindow<T> {

  private static final Logger LOG = LoggerFactory.getLogger(ReadAheadWindow.class);

  /** The default number of reads under way; see loader-core/DESIGN.md. */
  static final int DEFAULT_READS = 64;

  /** The number of samples announced ahead, for each read that may be under way. */
  private static final int SAMPLES_PER_READ = 16;

  private static final int PROBES = 16;

  private final ReadAheadPool pool;
  private final ReentrantLock lock;
  private final ReadOrderPublisher<T> publisher;
  private final ReadProgress progress;
  private final String name;
  private final boolean asked;
  private final boolean intoNextEpoch;
  private final int horizon;

  /** The number of samples that are announced, and neither taken nor given up. */
  private int pending;

  /** The walk along the epoch that workers have begun last; null once that epoch is closed. */
  private Walk current;

  /** The walk along the next epoch, made when the current walk has ended; null before. */
  private Walk prepared;

  /** The walk along the epoch that workers have begun last, even if that epoch is closed. */
  private Walk last;

  /** The walk along the epoch whose successor {@link #prepare} has requested last. */
  private Walk successorAsked;

  private boolean warned;

  ReadAheadWindow(LoaderOptions<T> options) {
    int reads = options.readAhead().orElse(DEFAULT_READS);
    ReadProgress begun = new ReadProgress();
    this.progress = begun;
    this.pool = new ReadAheadPool(options.name(), reads, options.readAheadBytes(), begun::pass);
    this.lock = pool.lock();
    this.publisher = new ReadOrderPublisher<>(options.name(), lock, begun);
    this.name = options.name();
    this.asked = options.readAhead().orElse(0) > 0;
    this.intoNextEpoch = options.prefetchNextEpoch();
    this.horizon = (int) Math.min(Integer.MAX_VALUE, (long) SAMPLES_PER_READ * reads);
  }

  private record Place(long batch, int row) {}

  private enum State {
    NEW,
    OPEN,
    /** Nothing of the epoch can be read ahead. */
    OFF,
    CLOSED
  }

  /** The walk along one epoch, which announces the reads of its samples. */
  final class Walk {
    private final RemainingBatches<T> epoch;
    private volatile State state = State.NEW;
    private Announced announced;

    /** Creates the walk along an epoch, which begins when its first row is taken. */
    Walk(RemainingBatches<T> epoch) {
      this.epoch = epoch;
      this.announced = new Announced(epoch.cursor(), 0);
    }

    RemainingBatches<T> epoch() {
      return epoch;
    }

    /** Returns the position of the epoch's first sample. */
    long base() {
      return announced.base;
    }

    /** Returns the position after the epoch's last sample. */
    long endBase() {
      return base() + epoch.cursor().samples();
    }

    /** Returns whether nothing of the epoch can be read ahead. */
    boolean findsNothing() {
      return state == State.OFF;
    }

    /**
     * Takes the reads that were announced for a row that the calling worker has claimed.
     *
     * @return the reads, which the worker closes; null if nothing was announced
     */
    @Nullable AnnouncedReads take(long claimedBatch, int claimedRow) {
      if (state == State.OFF) {
        return null;
      }
      lock.lock();
      try {
        if (state == State.NEW) {
          begin();
        }
        if (state == State.OFF) {
          return null;
        }
        if (state == State.CLOSED) {
          // The closed epoch gave up its reads; a read announced anew is shared with other epochs.
          return announce(
              () -> epoch.order().indexAt(claimedBatch - epoch.firstBatch(), claimedRow), -1);
        }
        while (!announced.cursor.isBeyond(claimedBatch, claimedRow)) {
          announceNext();
        }
        AnnouncedReads reads = announced.open.remove(new Place(claimedBatch, claimedRow));
        if (reads != null) {
          pending--;
          progress.pass(reads.position());
        }
        advance();
        return reads;
      } finally {
        lock.unlock();
      }
    }

    private void begin() {
      Walk before = prepared;
      prepared = null;
      if (before != null
          && before.epoch.epoch() == epoch.epoch()
          && before.announced.cursor.end() == announced.cursor.end()
          && epoch.isWhole()) {
        announced = before.announced;
        state = State.OPEN;
        progress.passAllBefore(base());
      } else {
        if (before != null) {
          before.close();
        }
        announced = new Announced(epoch.cursor(), baseAfter(last));
        state = canReadAhead() ? State.OPEN : State.OFF;
        progress.restart(base());
      }
      current = this;
      last = this;
      publisher.publish(this);
    }

    private void prepareAfter(Walk before) {
      announced = new Announced(epoch.cursor(), baseAfter(before));
      state = State.OPEN;
    }

    /** Tests some samples of the order; returns whether one of them can be read ahead. */
    private boolean canReadAhead() {
      long batches = epoch.order().batches();
      long probes = Math.min(PROBES, batches);
      boolean[] found = new boolean[1];
      boolean failed = false;
      ReadAhead probe = (reader, index) -> found[0] |= asked || reader.prefersReadAhead();
      for (long i = 0; i < probes && !found[0]; i++) {
        try {
          epoch.dataset().readAhead(epoch.order().indexAt(batches / probes * i, 0), probe);
        } catch (RuntimeException | Error failure) {
          // The sample will report the failure, which does not concern other samples.
          failed = true;
          LOG.trace("the order or its dataset fails at probe {}", i, failure);
        }
      }
      if (!found[0] && !failed && asked && !warned) {
        warned = true;
        LOG.warn(
            "{}: readAhead(...) changes nothing, since {} does not report what it reads"
                + " (Dataset.readAhead)",
            name,
            epoch.dataset().name());
      }
      return found[0];
    }

    private void announceNext() {
      RowCursor at = announced.cursor;
      Place place = new Place(at.batch(), at.row());
      AnnouncedReads reads = announce(at::index, announced.base + announced.walked++);
      announced.open.put(place, reads);
      pending++;
      at.next();
      reads.show(publisher);
    }

    /** Announces the reads of a sample. Never throws: a failure becomes the sample's failure. */
    private AnnouncedReads announce(LongSupplier index, long position) {
      AnnouncedReads reads = new AnnouncedReads(pool, asked, position);
      try {
        epoch.dataset().readAhead(index.getAsLong(), reads);
      } catch (RuntimeException | Error failure) {
        reads.fail(failure);
      }
      return reads;
    }

    /** Gives up the reads that were announced for a claimed row, unless they were taken. */
    void discard(long claimedBatch, int claimedRow) {
      if (state != State.OPEN) {
        return;
      }
      AnnouncedReads reads = take(claimedBatch, claimedRow);
      if (reads != null) {
        reads.close();
      }
    }

    /** Gives up the reads that no worker has taken; may be called twice. */
    void close() {
      lock.lock();
      try {
        if (state == State.CLOSED) {
          return;
        }
        state = State.CLOSED;
        pending -= announced.open.size();
        announced.open.values().forEach(AnnouncedReads::close);
        announced.open.clear();
        if (current == this) {
          current = null;
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** The announced reads of an epoch, and the position of its first sample. */
  private static final class Announced {
    private final Map<Place, AnnouncedReads> open = new HashMap<>();
    private final RowCursor cursor;
    private final long base;
    private long walked;

    Announced(RowCursor cursor, long base) {
      this.cursor = cursor;
      this.base = base;
    }
  }

  /** Returns the position after an epoch; if no cache listens, the position at its start. */
  private long baseAfter(@Nullable Walk walk) {
    if (walk == null) {
      return 0;
    }
    return publisher.isListenedTo() ? walk.endBase() : walk.base();
  }

  private void advance() {
    while (current != null && pending < horizon && pool.wantsMore()) {
      Walk last = prepared == null ? current : prepared;
      if (!last.announced.cursor.atEnd()) {
        last.announceNext();
      } else if (prepared == null && intoNextEpoch && successorAsked != current) {
        successorAsked = current;
        Walk before = current;
        pool.execute(() -> prepare(before));
      } else {
        return;
      }
    }
  }

  /** Makes the next epoch's order. Logs a failure, which the consumer will meet again. */
  private void prepare(Walk before) {
    Walk next;
    try {
      next = new Walk(before.epoch.nextEpoch());
    } catch (RuntimeException | Error e) {
      LOG.debug("epoch {} cannot be read ahead", before.epoch.epoch() + 1, e);
      return;
    }
    lock.lock();
    try {
      if (current == before && prepared == null) {
        next.prepareAfter(before);
        prepared = next;
        advance();
      }
    } finally {
      lock.unlock();
    }
  }

  void shutDown() {
    lock.lock();
    try {
      if (prepared != null) {
        prepared.close();
        prepared = null;
      }
      publisher.shutDown();
    } finally {
      lock.unlock();
    }
    pool.shutDown();
  }

  Workers readers() {
    return pool.threads();
  }

  Workers publisher() {
    return publisher.thread();
  }

  ReadAheadPool pool() {
    return pool;
  }
}
