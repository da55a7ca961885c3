package io.feedline;

import io.feedline.sampler.Order;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.WorldInfo;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Epochs of a dataset that is read from front to back: which shards this rank reads, in which
 * order, how they are mixed, and where the epoch ends.
 *
 * @param dataset what is read
 * @param batchSize samples of a batch
 * @param dropLast whether a batch that is short is left out
 * @param shuffleShards whether the shards come in an order of their own in each epoch
 * @param shuffleBuffer how many samples the shuffle buffer holds; 0: none
 * @param interleave how many shards give samples in turn
 * @param seed of the shuffles
 * @param world which of how many processes this is, that share the shards
 * @param evenly whether all ranks make the same number of steps
 * @param <T> a sample
 */
record StreamedEpochs<T>(
    IterableDataset<T> dataset,
    int batchSize,
    boolean dropLast,
    boolean shuffleShards,
    int shuffleBuffer,
    int interleave,
    long seed,
    WorldInfo world,
    boolean evenly)
    implements EpochFactory<T> {

  /** Goes by the declared size; what a stream really has shows only at its end. */
  @Override
  public OptionalLong batches(long epoch) {
    OptionalLong samples = equalSteps() ? samplesOfEachRank(epoch) : declared();
    if (samples.isEmpty()) {
      return samples;
    }
    long more = dropLast ? 0 : batchSize - 1;
    return OptionalLong.of((samples.getAsLong() + more) / batchSize);
  }

  /** How many samples the dataset says that this rank has, where it reads all shards. */
  private OptionalLong declared() {
    return world.worldSize() == 1 ? dataset.size() : OptionalLong.empty();
  }

  @Override
  public EpochSource<T> epoch(long epoch) {
    return source(epoch, 0, Set.of());
  }

  @Override
  public EpochSource<T> remainder(LoaderState state, long position) {
    return source(state.epoch(), position, Set.copyOf(state.ahead()));
  }

  private EpochSource<T> source(long epoch, long position, Set<Long> ahead) {
    SampleStream<T> stream =
        new ShardReader<>(dataset, epoch, shards(epoch, world.rank()), interleave);
    if (shuffleBuffer > 1) {
      stream = new ShuffleBuffer<>(stream, shuffleBuffer, seed, epoch);
    }
    return new StreamedEpoch<>(
        dataset.name(),
        stream,
        epoch,
        batchSize,
        dropLast,
        position,
        equalSteps() ? samplesOfEachRank(epoch) : OptionalLong.empty(),
        declared(),
        ahead);
  }

  /** The shards of a rank: every worldSize-th of the epoch's order. */
  private int[] shards(long epoch, int ofRank) {
    int[] order = new int[dataset.shards()];
    Order shuffled = RandomSampler.of(order.length, seed).order(epoch);
    for (int i = 0; i < order.length; i++) {
      order[i] = shuffleShards ? (int) shuffled.indexAt(i) : i;
    }
    int ranks = world.worldSize();
    int[] mine = new int[Math.max(0, (order.length - ofRank + ranks - 1) / ranks)];
    Arrays.setAll(mine, i -> order[ofRank + i * ranks]);
    return mine;
  }

  /**
   * As many samples as the poorest rank has, so that all ranks make the same number of steps.
   *
   * @throws IllegalArgumentException if a shard's size is not declared
   */
  OptionalLong samplesOfEachRank(long epoch) {
    long least = Long.MAX_VALUE;
    for (int other = 0; other < world.worldSize(); other++) {
      long samples = 0;
      for (int shard : shards(epoch, other)) {
        int number = shard;
        samples +=
            dataset
                .shardSize(shard)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "the size of shard %d of %s is not declared; %d ranks need it to make equally many steps"
                                .formatted(number, dataset.name(), world.worldSize())));
      }
      least = Math.min(least, samples);
    }
    return OptionalLong.of(least);
  }

  /** Returns whether the epoch ends after as many samples as each rank has. */
  boolean equalSteps() {
    return evenly && world.worldSize() > 1;
  }

  @Override
  public int worldSize() {
    return world.worldSize();
  }

  @Override
  public boolean sharedByPosition() {
    return false;
  }

  @Override
  public String datasetId() {
    return Digest.of(dataset.fingerprint());
  }

  @Override
  public String orderId(long epoch) {
    Digest digest = new Digest();
    digest.add(shuffleBuffer);
    digest.add(interleave);
    digest.add(shuffleBuffer > 1 || shuffleShards ? seed : 0);
    for (int shard : shards(epoch, world.rank())) {
      digest.add(shard);
    }
    return digest.toString();
  }
}
