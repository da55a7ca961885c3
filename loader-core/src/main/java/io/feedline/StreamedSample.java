package io.feedline;

import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.data.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * An element that was read from a stream: a sample, or the failure in its place.
 *
 * @param sample null where it could not be read
 * @param failure why it could not be read; null otherwise
 * @param shard which it comes from; {@link #NO_SHARD}: the failure is not a shard's
 * @param ordinal the number of samples of the shard before it; negative if the failure concerns
 *     more than one sample: {@link #OPENING}, {@link #LEFT} or {@link #LOST}
 */
record StreamedSample<T>(
    @Nullable PendingSample<T> sample, @Nullable Throwable failure, int shard, long ordinal) {

  static final int NO_SHARD = -1;

  /** The shard could not be opened. */
  static final long OPENING = -1;

  /** The shard is left, with samples that it may still have. */
  static final long LEFT = -2;

  /** The stream cannot be read on from its place. */
  static final long LOST = -3;

  T get(SampleContext context) throws Exception {
    rethrow(failure);
    return sample.get(context);
  }

  void throwIfSerious() throws Exception {
    if (serious()) {
      rethrow(failure);
    }
  }

  /** True if the failure is an error or the store's, and so not this sample's alone. */
  boolean serious() {
    return failure instanceof Error || (failure != null && StoreException.isBehind(failure));
  }

  private static void rethrow(Throwable failure) throws Exception {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw (Exception) failure;
    }
  }
}
