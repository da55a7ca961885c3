package io.feedline.gpu.internal;

import java.util.Arrays;

/**
 * The progress of each stream as far as it is known: for each stream's index, the number of its
 * operations that happened before. Immutable.
 */
final class VectorClock {

  static final VectorClock ZERO = new VectorClock(new long[0]);

  private final long[] counts;

  private VectorClock(long[] counts) {
    this.counts = counts;
  }

  long get(int stream) {
    return stream < counts.length ? counts[stream] : 0;
  }

  VectorClock join(VectorClock other) {
    if (other.counts.length > counts.length) {
      return other.join(this);
    }
    long[] joined = counts.clone();
    for (int i = 0; i < other.counts.length; i++) {
      joined[i] = Math.max(joined[i], other.counts[i]);
    }
    return new VectorClock(joined);
  }

  VectorClock tick(int stream) {
    long[] ticked = Arrays.copyOf(counts, Math.max(counts.length, stream + 1));
    ticked[stream]++;
    return new VectorClock(ticked);
  }
}
