package io.feedline.formats.cli.internal.doctor;

import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler.Order;
import java.util.stream.LongStream;

/** The images of a store that were not read in this run yet, in random order. */
final class UnreadImages {

  private static final int MOST_AT_ONCE = 1 << 20;

  private final Order order;
  private final long size;
  private long next;

  /**
   * All images of a store.
   *
   * @param size how many they are, 1 or more
   */
  UnreadImages(long size) {
    this.order = RandomSampler.of(size, 0).order(0);
    this.size = size;
  }

  long left() {
    return size - next;
  }

  /** Takes about so many; at least one, which is an old one where all were taken. */
  long[] take(long count) {
    long from = Math.min(next, size - 1);
    next = Math.min(size, from + Math.max(1, Math.min(count, MOST_AT_ONCE)));
    return LongStream.range(from, next).map(order::indexAt).toArray();
  }
}
