package io.feedline;

import java.io.Closeable;
import java.util.List;

/**
 * All samples of an epoch that are this rank's, in their order, each with the place it comes from.
 * A stream that fails gives {@link Drawn draws} that carry the failure; it does not throw.
 *
 * <p>Used by one thread at a time, not always the same. Nothing is opened before the first sample
 * is asked for.
 */
interface EpochStream<T> extends Closeable {

  /**
   * Returns the next sample, or the failure that takes its place; null at the end, and after it.
   */
  Drawn<T> next();

  /**
   * Reads on without making samples; a failing one counts as one.
   *
   * @throws Exception an error or an interrupt that a sample's reading ended with
   */
  default void skip(long samples) throws Exception {
    for (long skipped = 0; skipped < samples; skipped++) {
      Drawn<T> drawn = next();
      if (drawn == null) {
        return;
      }
      drawn.throwIfSerious();
    }
  }

  /**
   * Goes to a position before anything has been read; seeks where the mark allows it.
   *
   * @param position how many samples of this stream come before
   * @param mark what {@link #mark} gave in an earlier reading of the epoch, at this position or
   *     before it; empty: none
   * @throws Exception if that place cannot be reached
   */
  default void goTo(long position, List<Long> mark) throws Exception {
    skip(position);
  }

  /** Returns where the stream stands, for {@link #goTo}; empty where it cannot tell. */
  default List<Long> mark() {
    return List.of();
  }

  /** Returns where a draw with these numbers comes from, for errors. */
  String describe(int shard, long ordinal);
}
