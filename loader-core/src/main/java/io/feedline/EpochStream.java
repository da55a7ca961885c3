package io.feedline;

import io.feedline.internal.Cancellation;
import java.io.Closeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All samples of an epoch that are this rank's, in their order, each with the place it comes from.
 * A stream that fails gives {@link StreamedSample draws} that carry the failure; it throws only
 * where it is interrupted or {@linkplain Cancellation cancelled} between two samples, and can be
 * read on then.
 *
 * <p>Used by one thread at a time, not always the same. Nothing is opened before the first sample
 * is asked for.
 */
interface EpochStream<T> extends Closeable {

  /**
   * Returns the next sample, or the failure that takes its place; null at the end, and after it.
   *
   * @throws InterruptedException before the next sample is read
   */
  @Nullable StreamedSample<T> next() throws InterruptedException;

  /** Reads on without making samples; a failing sample counts, too. Returns fewer at the end. */
  default long skip(long samples) throws Exception {
    for (long skipped = 0; skipped < samples; skipped++) {
      Cancellation.check();
      StreamedSample<T> drawn = next();
      if (drawn == null) {
        return skipped;
      }
      drawn.throwIfSerious();
    }
    return samples;
  }

  /**
   * Goes to a position before anything has been read; seeks where the mark allows it.
   *
   * @param position how many samples of this stream come before
   * @param mark the {@link #mark} of an earlier reading of the epoch, at this position or before
   *     it; empty if there is no mark
   * @return the position that was reached, which is smaller if the stream ends before
   */
  default long goTo(long position, List<Long> mark) throws Exception {
    return skip(position);
  }

  default List<Long> mark() {
    return List.of();
  }

  String describe(int shard, long ordinal);
}
