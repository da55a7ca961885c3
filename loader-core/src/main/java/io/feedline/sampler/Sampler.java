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

  /** The indices of one epoch by their position. Immutable and thread-safe. */
  interface Order {
    /**
     * Returns the number of positions, 0 or more; indices may occur more than once or not at all.
     */
    long size();

    /**
     * Returns the dataset's index at a position.
     *
     * @param position from 0 to {@code size() - 1}
     * @throws IndexOutOfBoundsException if the position is outside that range
     */
    long indexAt(long position);

    /**
     * Returns the number of a position's occurrence of its index, so that random transforms draw
     * anew at each occurrence: no two positions have both the same index and the same number. With
     * 0 a sample has the same draws wherever it stands in the epoch.
     *
     * @param position from 0 to {@code size() - 1}
     * @return by default the position, for orders that may repeat an index; an order that repeats
     *     none returns 0, as those of this package do. An order that is one rank's part by itself,
     *     not by a loader or a {@link DistributedSampler}, returns a position that is unique among
     *     all ranks
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
