package io.feedline;

import io.feedline.ReadAheadPool.PendingRead;
import io.feedline.data.Dataset.ReadAhead;
import io.feedline.data.SampleReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The reads that were announced to the {@link ReadAheadPool} for one sample. Reads are added under
 * the pool's lock. Later the worker that makes the sample takes the reads and closes this object.
 */
final class AnnouncedReads implements ReadAhead {

  private final ReadAheadPool pool;
  private final boolean all;
  private final long position;
  private final List<PendingRead<?>> reads = new ArrayList<>(1);
  private @Nullable Throwable failure;

  AnnouncedReads(ReadAheadPool pool, boolean all, long position) {
    this.pool = pool;
    this.all = all;
    this.position = position;
  }

  @Override
  public void add(SampleReader<?> reader, long index) {
    if (!pool.lock().isHeldByCurrentThread()) {
      throw new IllegalStateException("reads are announced in readAhead(...), not afterwards");
    }
    if (all || reader.prefersReadAhead()) {
      reads.add(pool.announce(reader, index, position));
    }
  }

  long position() {
    return position;
  }

  void show(ReadOrderPublisher<?> publisher) {
    reads.forEach(read -> publisher.notice(read.reader(), read.index()));
  }

  /** Makes the sample fail with this cause, since the dataset could not name the sample's reads. */
  void fail(Throwable cause) {
    failure = cause;
  }

  void check() {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  <R> Optional<R> take(SampleReader<R> reader, long index) throws Exception {
    for (Iterator<PendingRead<?>> each = reads.iterator(); each.hasNext(); ) {
      PendingRead<?> read = each.next();
      if (read.is(reader, index)) {
        each.remove();
        @SuppressWarnings("unchecked")
        PendingRead<R> found = (PendingRead<R>) read;
        return Optional.of(pool.take(found));
      }
    }
    return Optional.empty();
  }

  void close() {
    if (reads.isEmpty()) {
      return;
    }
    ReentrantLock lock = pool.lock();
    lock.lock();
    try {
      reads.forEach(pool::release);
      reads.clear();
    } finally {
      lock.unlock();
    }
  }
}
