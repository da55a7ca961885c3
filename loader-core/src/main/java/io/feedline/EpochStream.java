package io.feedline;

import io.feedline.internal.Cancellation;
import java.io.Closeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The samples of an epoch that belong to this rank, in their order, each with its place in the
 * source. If reading fails, the stream returns a {@link StreamedSample} with the failure. It throws
 * only if it is interrupted or {@linkplain Cancellation cancelled} between two samples, and can
 * then be read on.
 *
 * <p>Used by one thread at a time, not always the same thread. Opens nothing before the first
 * sample is read.
 */
interface EpochStream<T> extends Closeable {

  /**
   * Returns the next sample, or the failure that takes its place; null after the last sample.
   *
   * @throws InterruptedException if interrupted or cancelled before the next sample is read
   */
  @Nullable StreamedSample<T> next() throws InterruptedException;

  /**
   * Skips samples without decoding or transforming them; a failing sample counts, too. Returns the
   * number of skipped samples, which is smaller if the stream ends.
   */
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
   * Moves to a position; called before anything is read. May seek to the mark; otherwise skips.
   *
   * @param position the number of samples of this stream before the position
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
