package io.feedline.sampler;

/**
 * The order in which an epoch visits a dataset. Like PyTorch's {@code Sampler}, but with random
 * access: an order is a function from positions to indices, so that claiming work, resuming and
 * distributing are arithmetic.
 *
 * <p>Immutable and thread-safe.
 */
@FunctionalInterface
public interface Sampler {
  /**
   * Returns the order of an epoch: a function of the sampler and the epoch alone.
   *
   * @param epoch 0 or more
   */
  Order order(long epoch);
}
