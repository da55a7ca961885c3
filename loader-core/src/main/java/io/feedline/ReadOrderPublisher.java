package io.feedline;

import io.feedline.data.Dataset;
import io.feedline.data.Dataset.ReadAhead;
import io.feedline.data.SampleReader;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.internal.ReadOrderListener;
import io.feedline.sampler.BatchSampler.BatchOrder;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher of the order in which a loader will read its files, in the current and the next
 * epoch, to a cache in front of the files.
 *
 * <h2>Implementation note</h2>
 *
 * <p>If no announced file has a {@link ReadOrderListener}, as with local files, the publisher does
 * nothing. Otherwise, when an epoch begins, a thread of its own walks through the order. It asks
 * the dataset for the reads of each index ({@link Dataset#readAhead}) and the readers for their
 * ranges, and passes the ranges to the listeners. Each epoch after the first is published once,
 * during the epoch before it. If another epoch begins instead, the publisher starts again.
 *
 * <p>Guarded by the pool's lock, except for the fields that only its thread uses.
 */
final class ReadOrderPublisher<T> {

  private static final Logger LOG = LoggerFactory.getLogger(ReadOrderPublisher.class);

  /** The number of samples between two checks whether the epoch is still wanted. */
  private static final int BETWEEN_LOOKS = 1 << 10;

  /** The largest number of readers that are checked for a listener: a dataset has a few. */
  private static final int MOST_NOTICED = 1 << 8;

  /** A listener that does nothing, for file systems without a listener. */
  private static final ReadOrderListener.Reads NOBODY =
      new ReadOrderListener.Reads() {
        @Override
        public void add(long position, Path file, long offset, long end) {}

        @Override
        public void known(long first, long end) {}

        @Override
        public void forget() {}

        @Override
        public void close() {}
      };

  private final ReentrantLock lock;
  private final Condition work;
  private final Workers thread;
  private final ReadProgress progress;

  private final Set<SampleReader<?>> noticed = Collections.newSetFromMap(new IdentityHashMap<>());

  private boolean listenedTo;

  private ReadAheadWindow<T>.Walk begun;

  /** The epoch to publish; null before the first epoch, and after it was published. */
  private ReadAheadWindow<T>.Walk wanted;

  private boolean closed;

  // ---- used by the publisher's thread alone ----

  private final IdentityHashMap<FileSystem, ReadOrderListener.Reads> listeners =
      new IdentityHashMap<>();

  /** The epoch that was published last; -1 before the first. */
  private long publishedEpoch = -1;

  private long publishedFrom;
  private long publishedEnd;

  /** Creates a publisher whose thread starts with the first epoch to publish. */
  ReadOrderPublisher(String name, ReentrantLock lock, ReadProgress progress) {
    this.lock = lock;
    this.progress = progress;
    this.work = lock.newCondition();
    this.thread = new Workers(name + "-order");
  }

  boolean isListenedTo() {
    return listenedTo;
  }

  /** Checks whether a reader's files have a listener; under the lock. */
  void notice(SampleReader<?> reader, long index) {
    if (listenedTo || noticed.size() == MOST_NOTICED || noticed.contains(reader)) {
      return;
    }
    try {
      for (FileRange part : reader.parts(index)) {
        noticed.add(reader);
        listenedTo |= listener(part.file()) != null;
      }
    } catch (RuntimeException | Error failure) {
      // The sample will report the failure; this reader counts as one without a listener.
      noticed.add(reader);
      LOG.debug("{} does not report where index {} lies", reader, index, failure);
    }
    publish(begun);
  }

  private static ReadOrderListener listener(Path file) {
    return file.getFileSystem() == FileSystems.getDefault()
        ? null
        : Files.getFileAttributeView(file, ReadOrderListener.class);
  }

  /** Publishes an epoch that begins; under the lock. */
  void publish(ReadAheadWindow<T>.Walk epoch) {
    begun = epoch;
    if (!listenedTo || closed) {
      return;
    }
    wanted = epoch;
    thread.start(1, number -> run());
    work.signal();
  }

  private void run() {
    try {
      for (ReadAheadWindow<T>.Walk epoch = next(); epoch != null; epoch = next()) {
        publishNow(epoch);
      }
    } finally {
      listeners.values().forEach(ReadOrderListener.Reads::close);
    }
  }

  private ReadAheadWindow<T>.Walk next() {
    lock.lock();
    try {
      while (wanted == null && !closed) {
        work.awaitUninterruptibly();
      }
      return closed ? null : wanted;
    } finally {
      lock.unlock();
    }
  }

  private void publishNow(ReadAheadWindow<T>.Walk epoch) {
    try {
      boolean known =
          publishedEpoch == epoch.epoch().epoch()
              && publishedFrom == epoch.base()
              && publishedEnd == epoch.endBase();
      if (!known) {
        publishedEpoch = -1;
        listeners.values().forEach(ReadOrderListener.Reads::forget);
      }
      if ((known || publish(epoch, epoch.epoch(), epoch.base())) && isWanted(epoch)) {
        publish(epoch, epoch.epoch().nextEpoch(), epoch.endBase());
      }
    } catch (RuntimeException | Error failure) {
      // The consumer meets the failure of an order when its epoch begins.
      publishedEpoch = -1;
      LOG.debug("the order of epoch {} cannot be published", epoch.epoch().epoch(), failure);
    } finally {
      lock.lock();
      try {
        if (wanted == epoch) {
          wanted = null;
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean isWanted(ReadAheadWindow<T>.Walk epoch) {
    lock.lock();
    try {
      return wanted == epoch && !closed;
    } finally {
      lock.unlock();
    }
  }

  private boolean publish(
      ReadAheadWindow<T>.Walk wanting, RemainingBatches<T> epoch, long firstPosition) {
    RowCursor rows = epoch.cursor();
    if (rows.isEndless()) {
      return false;
    }
    List<BatchOrder> neighbors = epoch.orders().neighbors(epoch.epoch());
    Announcer publisher = new Announcer();
    long position = firstPosition;
    for (; !rows.atEnd(); rows.next()) {
      if (position % BETWEEN_LOOKS == 0 && !isWanted(wanting)) {
        listeners.values().forEach(ReadOrderListener.Reads::forget);
        publishedEpoch = -1;
        return false;
      }
      publisher.position = position++;
      announce(epoch.dataset(), rows::index, publisher);
      for (BatchOrder each : neighbors) {
        if (rows.batch() < each.batches() && rows.row() < each.batchSize(rows.batch())) {
          announce(epoch.dataset(), () -> each.indexAt(rows.batch(), rows.row()), publisher);
        }
      }
    }
    long end = position;
    listeners.values().forEach(reads -> reads.known(firstPosition, end));
    publishedEpoch = epoch.epoch();
    publishedFrom = firstPosition;
    publishedEnd = end;
    return true;
  }

  private static void announce(Dataset<?> dataset, LongSupplier index, ReadAhead ahead) {
    try {
      dataset.readAhead(index.getAsLong(), ahead);
    } catch (RuntimeException | Error failure) {
      // The sample will report the failure.
      LOG.trace("a sample does not report what it reads", failure);
    }
  }

  private final class Announcer implements ReadAhead {
    private long position;

    @Override
    public void add(SampleReader<?> reader, long index) {
      for (FileRange part : reader.parts(index)) {
        listeners
            .computeIfAbsent(part.file().getFileSystem(), files -> follow(part.file()))
            .add(position, part.file(), part.offset(), part.end());
      }
    }

    private ReadOrderListener.Reads follow(Path file) {
      ReadOrderListener found = listener(file);
      return found == null ? NOBODY : found.follow(progress);
    }
  }

  /** Ends the thread; under the lock. */
  void shutDown() {
    closed = true;
    work.signalAll();
  }

  Workers thread() {
    return thread;
  }
}
