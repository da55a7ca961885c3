package io.feedline.formats.store.internal.shards;

import java.util.Arrays;
import java.util.Objects;

public final class Shards {

  /** The index of each shard's first sample, and at last the number of all samples. */
  private final long[] starts;

  private Shards(long... starts) {
    this.starts = starts;
  }

  public static Shards of(long... sizes) {
    long[] starts = new long[sizes.length + 1];
    for (int i = 0; i < sizes.length; i++) {
      starts[i + 1] = Math.addExact(starts[i], sizes[i]);
    }
    return new Shards(starts);
  }

  public int count() {
    return starts.length - 1;
  }

  public long samples() {
    return starts[starts.length - 1];
  }

  public long size(int shard) {
    return starts[shard + 1] - starts[shard];
  }

  public long[] sizes() {
    long[] sizes = new long[count()];
    Arrays.setAll(sizes, this::size);
    return sizes;
  }

  public int shardOf(long index) {
    int found = Arrays.binarySearch(starts, Objects.checkIndex(index, samples()));
    if (found < 0) {
      return -found - 2;
    }
    // Skips empty shards, which begin at the start of the next shard.
    while (starts[found + 1] == index) {
      found++;
    }
    return found;
  }

  public int indexIn(int shard, long index) {
    return (int) (index - starts[shard]);
  }
}
