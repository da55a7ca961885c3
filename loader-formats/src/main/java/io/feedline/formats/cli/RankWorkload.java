package io.feedline.formats.cli;

import io.feedline.sampler.Remainder;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An epoch that many ranks share, as far as its order goes: how many samples in how many shards,
 * and who reads them.
 *
 * @param ranks processes that train together, each with a loader
 * @param ranksPerNode how many of them are on one machine, with consecutive numbers
 * @param examples of the data set
 * @param shards of the data set, as equally large as can be; empty: not in shards
 * @param batchSize examples of a batch of one rank
 * @param remainder what becomes of examples that cannot be dealt evenly; empty: as a loader has it
 *     by default
 * @param windowShards how many shards a {@code ShardedSampler} reads at a time
 * @param runs into how many runs it cuts the shards, where it does
 * @param resume another number of ranks that go on within the epoch; empty: none
 */
record RankWorkload(
    int ranks,
    int ranksPerNode,
    long examples,
    OptionalInt shards,
    int batchSize,
    Optional<Remainder> remainder,
    int windowShards,
    int runs,
    Optional<Resume> resume) {

  /**
   * A resumption by another number of ranks.
   *
   * @param ranks how many go on
   * @param step how many batches each of the ranks before has had
   */
  record Resume(int ranks, long step) {}

  /** The ranks of the first node. */
  int ranksOfNode() {
    return Math.min(ranks, ranksPerNode);
  }

  /** The size of a shard; the first ones have one example more where they cannot be equal. */
  long shardSize(int shard) {
    int count = shards.orElseThrow();
    return examples / count + (shard < examples % count ? 1 : 0);
  }

  /** The first example of a shard. */
  long shardStart(int shard) {
    int count = shards.orElseThrow();
    return examples / count * shard + Math.min(shard, examples % count);
  }

  /** The shard that has an example. */
  int shardOf(long example) {
    int count = shards.orElseThrow();
    long larger = examples % count;
    long size = examples / count;
    long inLarger = larger * (size + 1);
    return (int) (example < inLarger ? example / (size + 1) : larger + (example - inLarger) / size);
  }
}
