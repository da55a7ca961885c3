package io.feedline;

import io.feedline.data.IterableDataset;
import io.feedline.internal.Digest;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler.Order;

/** The mixing of a stream's shards and of their samples; a buffer of 0 shuffles nothing. */
record ShardMixing(boolean shuffleShards, int shuffleBuffer, int interleave, long seed) {

  /** Returns the numbers of all shards in the epoch's order. */
  int[] order(int shards, long epoch) {
    int[] order = new int[shards];
    Order shuffled = RandomSampler.of(shards, seed).order(epoch);
    for (int i = 0; i < shards; i++) {
      order[i] = shuffleShards ? (int) shuffled.indexAt(i) : i;
    }
    return order;
  }

  /** Returns the samples of shards in this order; if there is a buffer, shuffles them by rank. */
  <T> EpochStream<T> stream(IterableDataset<T> dataset, long epoch, int rank, int... shards) {
    EpochStream<T> stream = new ShardReader<>(dataset, epoch, shards, interleave);
    return isBuffered() ? new ShuffleBuffer<>(stream, shuffleBuffer, seed, epoch, rank) : stream;
  }

  private boolean isBuffered() {
    return shuffleBuffer > 1;
  }

  void addTo(Digest digest) {
    digest.add(shuffleBuffer);
    digest.add(interleave);
    digest.add(isBuffered() || shuffleShards ? seed : 0);
  }
}
