package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;

/**
 * A sampler that visits 0, 1, 2, ... in each epoch, like PyTorch's {@code SequentialSampler}. It
 * takes no memory, whatever the size.
 *
 * <p>Immutable and thread-safe.
 */
public final class SequentialSampler implements Sampler {

  private final Order order;

  private SequentialSampler(Order order) {
    this.order = order;
  }

  /**
   * Returns the sampler over {@code size} samples.
   *
   * @throws IllegalArgumentException if {@code size} is negative
   */
  public static SequentialSampler of(long size) {
    return new SequentialSampler(Order.sequential(size));
  }

  @Override
  public Order order(long epoch) {
    return order;
  }

  @Override
  public String toString() {
    return "SequentialSampler(size=" + order.size() + ")";
  }
}
