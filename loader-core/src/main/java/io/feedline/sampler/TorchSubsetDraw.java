package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import io.feedline.sampler.TorchSampler.Draw;

/** The draw of the indices of PyTorch's {@code SubsetRandomSampler}. */
final class TorchSubsetDraw implements Draw {

  private final long[] indices;
  private final boolean repeats;

  TorchSubsetDraw(long[] indices, TorchSampler.Builder options) {
    if (options.replacement || options.numSamples.isPresent()) {
      throw new IllegalArgumentException(
          "a subset is visited once, without replacement, was replacement(%b), numSamples(%s)"
              .formatted(options.replacement, options.numSamples));
    }
    this.indices = indices;
    this.repeats = SubsetRandomSampler.repeats(indices);
  }

  @Override
  public long count() {
    return indices.length;
  }

  @Override
  public long words(long asked) {
    return TorchRandom.wordsOfRandperm(indices.length);
  }

  @Override
  public Order order(TorchRandom random) {
    int[] places = random.randpermInt32(indices.length);
    return DrawnOrder.of(places.length, position -> indices[places[(int) position]], repeats);
  }

  @Override
  public String toString() {
    return "subset, size=%d".formatted(indices.length);
  }
}
