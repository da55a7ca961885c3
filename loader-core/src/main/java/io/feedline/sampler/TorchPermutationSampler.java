package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;

/**
 * A sampler that visits each index once, in PyTorch's order {@code torch.randperm(size)} from a
 * generator seeded with {@code seed + epoch}: the order that PyTorch's {@code DistributedSampler}
 * deals to its ranks.
 *
 * <p>The order of an epoch takes 4 bytes per index, drawn when the first index is asked for.
 * Immutable and thread-safe.
 */
final class TorchPermutationSampler implements Sampler {

  private final int size;
  private final long seed;

  private TorchPermutationSampler(int size, long seed) {
    this.size = size;
    this.seed = seed;
  }

  /**
   * Returns the sampler over this many samples.
   *
   * @param size from 0 to 2^31 - 9, since the order is an array
   * @param seed the {@code seed} of PyTorch's {@code DistributedSampler}
   * @throws IllegalArgumentException if the size is out of range
   */
  static TorchPermutationSampler of(long size, long seed) {
    return new TorchPermutationSampler(TorchRandomDraw.arraySize("size", size), seed);
  }

  @Override
  public Order order(long epoch) {
    return new DrawnOrder(
        size, () -> DrawnOrder.of(TorchRandom.ofSeed(seed + epoch).randpermInt32(size), false));
  }

  @Override
  public String toString() {
    return "TorchPermutationSampler(size=%d, seed=%d)".formatted(size, seed);
  }
}
