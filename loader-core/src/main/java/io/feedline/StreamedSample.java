package io.feedline;

import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.data.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * An element that was read from a stream: a sample, or the failure in its place.
 *
 * @param sample the sample; null if it could not be read
 * @param failure the reason why the sample could not be read; null otherwise
 * @param shard the shard of the sample; {@link #NO_SHARD} if the failure is not a shard's
 * @param ordinal the number of samples of the shard before it; negative if the failure concerns
 *     more than one sample: {@link #OPENING}, {@link #LEFT} or {@link #LOST}
 */
record StreamedSample<T>(
    @Nullable PendingSample<T> sample, @Nullable Throwable failure, int shard, long ordinal) {

  static final int NO_SHARD = -1;

  /** The ordinal for a shard that could not be opened. */
  static final long OPENING = -1;

  /** The ordinal for a shard that was abandoned, although it may have more samples. */
  static final long LEFT = -2;

  /** The ordinal for a failure of the whole stream, which then cannot be read on. */
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

  /** Returns whether the failure may concern other samples: an {@link Error}, or a failed store. */
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
