package io.feedline;

import io.feedline.data.IterableDataset;
import io.feedline.internal.Counts;
import io.feedline.internal.Digest;
import io.feedline.sampler.WorldInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Epochs of a dataset that is read from front to back. Determines which shards this rank reads, in
 * which order, how they are mixed, and where an epoch ends.
 *
 * <p>Ranks share the shards if {@link #dealsShards} returns true. Otherwise each rank reads all
 * shards, in the same order with the same shuffle, and takes its own samples from the result: see
 * {@link DealtStream}.
 *
 * @param evenly whether all ranks make the same number of steps
 * @param byShards whether several ranks share the shards, not the samples
 */
record StreamedEpochs<T>(
    IterableDataset<T> dataset,
    int batchSize,
    boolean dropLast,
    ShardMixing mixing,
    WorldInfo world,
    boolean evenly,
    boolean byShards)
    implements EpochFactory<T> {

  /** Uses the declared size; the true size of a stream is known only at its end. */
  @Override
  public OptionalLong batches(long epoch) {
    OptionalLong samples = endsEarly() ? samplesOfEachRank(epoch) : declared(0);
    if (samples.isEmpty()) {
      return samples;
    }
    long all = samples.getAsLong();
    return OptionalLong.of(dropLast ? all / batchSize : Counts.ceilDiv(all, batchSize));
  }

  /**
   * Returns the number of samples that each rank delivers if the shards' declared sizes end the
   * epoch; empty otherwise: the sizes are then not checked, and may be wrong.
   */
  @Override
  public OptionalLong positions(long epoch) {
    return endsEarly() ? samplesOfEachRank(epoch) : OptionalLong.empty();
  }

  OptionalLong declared(long offset) {
    OptionalLong all = readsAll() ? dataset.size() : OptionalLong.empty();
    if (all.isEmpty()) {
      return all;
    }
    int ranks = world.worldSize();
    long dealt = Math.max(0, all.getAsLong() - offset);
    boolean incomplete = !evenly && world.rank() < dealt % ranks;
    return OptionalLong.of(dealt / ranks + (incomplete ? 1 : 0));
  }

  @Override
  public EpochSource<T> epoch(long epoch, EpochPlace from) {
    // Ranks that read the same shards mix them alike.
    int mixer = readsAll() ? 0 : world.rank();
    EpochStream<T> stream = mixing.stream(dataset, epoch, mixer, shards(epoch));
    if (readsAll() && world.worldSize() > 1) {
      stream = new DealtStream<>(stream, world.rank(), world.worldSize(), from.offset(), evenly);
    }
    return new StreamedEpoch<>(this, stream, epoch, from);
  }

  String name() {
    return dataset.name();
  }

  boolean evenSteps() {
    return evenly && world.worldSize() > 1;
  }

  /** Returns this rank's shards in the epoch's order: its share if ranks share shards, else all. */
  private int[] shards(long epoch) {
    int[] order = shardOrder(epoch);
    if (readsAll()) {
      return order;
    }
    int rank = world.rank();
    int ranks = world.worldSize();
    int[] mine = new int[Math.max(0, (order.length - rank + ranks - 1) / ranks)];
    Arrays.setAll(mine, i -> order[rank + i * ranks]);
    return mine;
  }

  /** Returns all shards in the epoch's order; if ranks share the shards, without empty shards. */
  private int[] shardOrder(long epoch) {
    int[] order = mixing.order(dataset.shards(), epoch);
    return readsAll()
        ? order
        : Arrays.stream(order)
            .filter(shard -> declaredSize(dataset, shard).orElse(1) > 0)
            .toArray();
  }

  /** Returns the fewest samples of any rank, so that all ranks make the same number of steps. */
  private OptionalLong samplesOfEachRank(long epoch) {
    long[] samples = new long[world.worldSize()];
    int rank = 0;
    for (int shard : mixing.order(dataset.shards(), epoch)) {
      long size = declaredSize(dataset, shard).orElseThrow();
      if (size > 0) {
        samples[rank] = Counts.sum(samples[rank], size);
        rank = (rank + 1) % samples.length;
      }
    }
    return LongStream.of(samples).min();
  }

  private static OptionalLong declaredSize(IterableDataset<?> dataset, int shard) {
    OptionalLong size = dataset.shardSize(shard);
    if (size.orElse(0) < 0) {
      throw new IllegalStateException(
          "%s declares %d samples; a shard has 0 or more"
              .formatted(dataset.describe(shard), size.getAsLong()));
    }
    return size;
  }

  /**
   * Returns whether each rank can have its own shards: there is a shard with samples for each rank,
   * and if all ranks must make the same number of steps, all shards declare their sizes. Always
   * true for a single rank.
   */
  static boolean dealsShards(IterableDataset<?> dataset, WorldInfo world, boolean evenly) {
    if (world.worldSize() == 1 || dataset.shards() < world.worldSize()) {
      return world.worldSize() == 1;
    }
    int filled = 0;
    for (int shard = 0; shard < dataset.shards(); shard++) {
      OptionalLong size = declaredSize(dataset, shard);
      if (evenly && size.isEmpty()) {
        return false;
      }
      filled += size.orElse(1) > 0 ? 1 : 0;
    }
    return filled >= world.worldSize();
  }

  static boolean declaresSizes(IterableDataset<?> dataset) {
    return IntStream.range(0, dataset.shards())
        .allMatch(shard -> declaredSize(dataset, shard).isPresent());
  }

  /** Returns whether this rank reads all shards: it is alone, or samples are dealt, not shards. */
  private boolean readsAll() {
    return world.worldSize() == 1 || !byShards;
  }

  /** Returns whether all ranks stop after as many samples as the rank with the fewest has. */
  private boolean endsEarly() {
    return evenly && !readsAll();
  }

  @Override
  public EpochFactory<T> unread() {
    return new StreamedEpochs<>(
        PlaceholderDataset.of(dataset), batchSize, dropLast, mixing, world, evenly, byShards);
  }

  @Override
  public int worldSize() {
    return world.worldSize();
  }

  @Override
  public boolean sharedByPosition() {
    return readsAll();
  }

  @Override
  public String otherOrders(int ranksOfState) {
    return ranksOfState == 1
        ? "other shards, or other options that shuffle them"
        : "%d ranks may have shared its shards, which only the same rank of the same number of ranks can continue, from its own state; else other shards, or other options that shuffle them"
            .formatted(ranksOfState);
  }

  @Override
  public boolean readOnce() {
    return dataset.readOnce();
  }

  @Override
  public List<String> transforms() {
    return dataset.transforms();
  }

  @Override
  public String datasetId() {
    return Digest.of(
        Objects.requireNonNull(dataset.fingerprint(), "the dataset's fingerprint is null"));
  }

  @Override
  public String orderId(long epoch) {
    Digest digest = new Digest();
    mixing.addTo(digest);
    for (int shard : shards(epoch)) {
      digest.add(shard);
    }
    return digest.toString();
  }
}
