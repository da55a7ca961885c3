package io.feedline.sampler;

/**
 * The order in which an epoch visits a dataset. Like PyTorch's {@code Sampler}, but with random
 * access: an order is a function from positions to indices, so claiming work, resuming and
 * distributing need only arithmetic.
 *
 * <p>Immutable and thread-safe.
 */
@FunctionalInterface
public interface Sampler {
  /**
   * Returns the order of an epoch, which depends only on the sampler and the epoch.
   *
   * @param epoch 0 or more
   */
  Order order(long epoch);

  /** The indices of one epoch by their position. Immutable and thread-safe. */
  interface Order {
    /** Returns the number of positions, 0 or more; an index may occur several times or never. */
    long size();

    /**
     * Returns the dataset's index at a position.
     *
     * @param position from 0 to {@code size() - 1}
     * @throws IndexOutOfBoundsException if the position is outside that range
     */
    long indexAt(long position);

    /**
     * Returns a number that distinguishes the positions with the same index, so that random
     * transforms draw anew at each of them: no two positions have both the same index and the same
     * number. With 0, the draws for a sample do not depend on its position in the epoch.
     *
     * @param position from 0 to {@code size() - 1}
     * @return by default the position, for orders that may repeat an index; an order that repeats
     *     no index returns 0, as the orders of this package do. An order that selects one rank's
     *     part itself, without a loader or a {@link DistributedSampler}, returns a position that is
     *     unique among all ranks
     */
    default long occurrence(long position) {
      return position;
    }

    /**
     * Returns the order 0, 1, 2, ...
     *
     * @throws IllegalArgumentException if {@code size} is negative
     */
    static Order sequential(long size) {
      if (size < 0) {
        throw new IllegalArgumentException("size must be 0 or more, was " + size);
      }
      return DrawnOrder.of(size, position -> position, false);
    }
  }
}
