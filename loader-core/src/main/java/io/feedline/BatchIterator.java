package io.feedline;

import io.feedline.batch.Batch;
import io.feedline.data.LoaderException;
import java.lang.ref.Reference;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One pass over one epoch of a {@link DataLoader}.
 *
 * <pre>{@code
 * try (BatchIterator batches = loader.iterator();
 *     Batch batch = batches.next()) {
 *   System.out.println("one: " + batch.tensors());
 * }
 * }</pre>
 *
 * <p>The caller owns the batches that {@link #next} returns, and closes each of them. An exception
 * from {@link #next} concerns one batch; the next call returns the next batch. A loop may end early
 * without any call: the loader drops the batches in production when its next epoch begins, or when
 * it is closed.
 *
 * <p>Not thread-safe: one consumer at a time.
 */
public final class BatchIterator implements Iterator<Batch>, AutoCloseable {

  private enum State {
    /** There may be more batches. */
    OPEN,
    EXHAUSTED,
    /** The consumer has closed the iterator, or a worker broke down. */
    CLOSED,
    /** The loader has begun another iteration before the end of this iteration. */
    REPLACED
  }

  // Keeps the loader from being collected, and its workers from being stopped, during the epoch.
  private final DataLoader<?> loader;
  private final EpochCursor<?> cursor;
  private State state = State.OPEN;

  private volatile @Nullable LoaderState used;

  BatchIterator(DataLoader<?> loader, EpochCursor<?> cursor) {
    this.loader = loader;
    this.cursor = cursor;
  }

  /** Returns the number of the epoch, from 0. */
  public long epoch() {
    return cursor.epoch();
  }

  /** Returns the name of the dataset, as in the messages of errors. */
  public String dataset() {
    return cursor.dataset();
  }

  /** Returns the number of batches that {@link #next} has not returned yet; empty if unknown. */
  public OptionalLong remaining() {
    return cursor.remaining();
  }

  /**
   * Returns whether there is another batch. Waits for the next batch only if nothing else shows the
   * answer: for a stream, and if the error policy skips samples.
   *
   * @throws LoaderException if waiting failed, or a worker broke down, which ends the iteration
   * @throws IllegalStateException if the loader has begun another iteration before the end of this
   *     iteration, for example by a loop over the loader inside a loop over the same loader
   */
  @Override
  public boolean hasNext() {
    if (state == State.REPLACED) {
      throw replaced();
    }
    try {
      if (state == State.OPEN && !cursor.hasNext()) {
        state = State.EXHAUSTED;
      }
      return state == State.OPEN;
    } catch (LoaderException e) {
      endAfter(e);
      throw e;
    } finally {
      // Only the iterator may keep the loader reachable, and this call may be its last use.
      Reference.reachabilityFence(loader);
    }
  }

  /**
   * Returns the next batch; waits until it is complete.
   *
   * @throws LoaderException if a sample of the batch failed; if the wait timed out or was
   *     interrupted (the next call then waits for the same batch); or if a worker broke down, which
   *     ends the iteration
   * @throws NoSuchElementException at the end of the epoch
   * @throws IllegalStateException if this iterator or the loader is closed, the loader has begun
   *     another iteration, or as many batches are open as the loader allows
   */
  @Override
  public Batch next() {
    if (state == State.CLOSED) {
      throw new IllegalStateException(
          "this iterator of epoch %d is closed, or a worker broke down".formatted(epoch()));
    }
    if (!hasNext()) {
      throw new NoSuchElementException(
          "epoch %d of %s has no more batches".formatted(epoch(), loader));
    }
    try {
      return loader.toDeliver(cursor.next());
    } catch (LoaderException e) {
      endAfter(e);
      throw e;
    } finally {
      Reference.reachabilityFence(loader);
    }
  }

  private void endAfter(LoaderException failure) {
    if (failure.stage() == LoaderException.Stage.WORKER) {
      state = State.CLOSED;
    }
  }

  private IllegalStateException replaced() {
    return new IllegalStateException(
        "this iterator of epoch %d of %s is over: a newer iteration of the loader has begun, and a loader has one at a time; a loop inside another loop needs a loader of its own"
            .formatted(epoch(), loader));
  }

  /** Returns the loader's state after the batch that {@link #next} returned last. */
  public LoaderState state() {
    return loader.stateBehind(cursor, state == State.EXHAUSTED);
  }

  /**
   * Sets the place up to which the consumer has used the batches. Code that takes batches ahead of
   * their consumer calls this method, for the first time before it takes the first batch. From then
   * on {@link DataLoader#state} returns this place. If the epoch is left early, batches beyond this
   * place do not count against the budget of the {@link ErrorPolicy}. May be called while another
   * thread waits for the next batch. Has no effect after the loader has begun another iteration.
   *
   * @param place the {@link #state} after the batch that was used last
   */
  public void usedUpTo(LoaderState place) {
    used = Objects.requireNonNull(place, "place");
  }

  @Nullable LoaderState used() {
    return used;
  }

  void replace() {
    if (state == State.OPEN && !cursor.finished()) {
      state = State.REPLACED;
    }
    close();
  }

  /** Ends the iteration; may be called twice. Delivered batches stay open. */
  @Override
  public void close() {
    if (state == State.OPEN) {
      state = State.CLOSED;
    }
  }
}
