package io.feedline;

import io.feedline.DataLoaderBuilder.WorkerInit;
import io.feedline.batch.BatchTransform;
import io.feedline.batch.Collator;
import io.feedline.batch.HostAllocator;
import io.feedline.sampler.WorldInfo;
import io.feedline.stats.LoaderStats;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The options that a {@link DataLoader} was built with, after validation and with defaults filled
 * in. Immutable and thread-safe.
 *
 * @param <T> a sample
 */
public final class LoaderOptions<T> {

  /** The values of the options, as a {@link DataLoaderBuilder} sets them. */
  static final class Values<T> implements Cloneable {
    String name;
    OptionalInt batchSize = OptionalInt.of(1);
    boolean batched = true;
    boolean dropLast;
    boolean padLast;
    int numWorkers = Runtime.getRuntime().availableProcessors();
    boolean autoWorkers;
    WorkerInit workerInit = worker -> {};
    int prefetch;
    OptionalLong prefetchBytes = OptionalLong.empty();
    boolean prefetchFirstEpoch;
    boolean prefetchNextEpoch = true;
    int reorderWindow = 1;
    int maxOpenBatches = 2;
    boolean trackOpenBatches = Boolean.getBoolean("feedline.trackOpenBatches");
    Collator<T> collator = Collator.defaults();
    Optional<BatchTransform> batchTransform = Optional.empty();
    ErrorPolicy errorPolicy = ErrorPolicy.fail();
    Duration stallThreshold = Duration.ofMillis(10);
    Optional<Duration> timeout = Optional.empty();
    long seed;
    WorldInfo world = WorldInfo.SINGLE;
    HostAllocator allocator = HostAllocator.direct();
    OptionalInt readAhead = OptionalInt.empty();
    long readAheadBytes = 64L << 20;

    Values(String name) {
      this.name = name;
    }

    @SuppressWarnings("unchecked")
    Values<T> copy() {
      try {
        return (Values<T>) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final Values<T> values;

  /** Creates options of these values, which are not copied and must not change any more. */
  LoaderOptions(Values<T> values) {
    this.values = values;
  }

  /** Returns the name of the loader in thread names, errors and logs. */
  public String name() {
    return values.name;
  }

  /** Returns the number of samples of a batch; empty with a batch sampler, 1 without batching. */
  public OptionalInt batchSize() {
    return values.batchSize;
  }

  /** Returns whether tensors have a batch axis. */
  public boolean batched() {
    return values.batched;
  }

  /** Returns whether a last batch of fewer samples is left out. */
  public boolean dropLast() {
    return values.dropLast;
  }

  /** Returns whether a last batch of fewer samples is filled up with copies of its rows. */
  public boolean padLast() {
    return values.padLast;
  }

  /** Returns the number of worker threads; 0: the consumer's thread makes the batches. */
  public int numWorkers() {
    return values.numWorkers;
  }

  /**
   * Returns whether {@link #numWorkers} and {@link #prefetch} are upper bounds; {@link
   * LoaderStats#tuning} has the present numbers.
   */
  public boolean autoWorkers() {
    return values.autoWorkers;
  }

  /** Returns the function that prepares each worker. */
  public WorkerInit workerInit() {
    return values.workerInit;
  }

  /** Returns how many batches are prepared ahead of the consumer; 1 without workers. */
  public int prefetch() {
    return values.prefetch;
  }

  /** Returns how many bytes batches may take before fewer are prepared ahead; empty: any number. */
  public OptionalLong prefetchBytes() {
    return values.prefetchBytes;
  }

  /** Returns whether workers begin epoch 0 when the loader is built. */
  public boolean prefetchFirstEpoch() {
    return values.prefetchFirstEpoch;
  }

  /** Returns whether workers with nothing left to do begin the next epoch. */
  public boolean prefetchNextEpoch() {
    return values.prefetchNextEpoch;
  }

  /** Returns the reorder window in batches; 1 if all batches are delivered in order. */
  public int reorderWindow() {
    return values.reorderWindow;
  }

  /** Returns how many batches the consumer may hold open at once. */
  public int maxOpenBatches() {
    return values.maxOpenBatches;
  }

  /** Returns whether the loader records the place in the code at which each batch was taken. */
  public boolean trackOpenBatches() {
    return values.trackOpenBatches;
  }

  /** Returns the collator, which makes a batch of samples. */
  public Collator<T> collator() {
    return values.collator;
  }

  /** Returns the transform of each batch before its delivery. */
  public Optional<BatchTransform> batchTransform() {
    return values.batchTransform;
  }

  /** Returns the treatment of samples that fail. */
  public ErrorPolicy errorPolicy() {
    return values.errorPolicy;
  }

  /** Returns the time after which a wait of {@code next()} for a batch counts as a stall. */
  public Duration stallThreshold() {
    return values.stallThreshold;
  }

  /** Returns how long {@code next()} waits for a batch before it throws; empty: without a limit. */
  public Optional<Duration> timeout() {
    return values.timeout;
  }

  /** Returns the seed of everything random. */
  public long seed() {
    return values.seed;
  }

  /** Returns the rank of this process, and the number of processes. */
  public WorldInfo world() {
    return values.world;
  }

  /** Returns the allocator of the batches' memory. */
  public HostAllocator allocator() {
    return values.allocator;
  }

  /** Returns how many reads may be under way ahead of the workers; empty for the default. */
  public OptionalInt readAhead() {
    return values.readAhead;
  }

  /** Returns how many bytes may be read ahead of the workers and not yet be used. */
  public long readAheadBytes() {
    return values.readAheadBytes;
  }

  int slots() {
    return values.prefetch + values.maxOpenBatches;
  }

  /** Returns the prefetch that suffices for two samples per worker, plus one batch; 2 or more. */
  static int prefetchFor(int workers, double batchSize) {
    return (int) Math.max(2, 1 + Math.ceil(2 * workers / batchSize));
  }

  int rowsOfPaddedBatch() {
    return values.padLast ? values.batchSize.orElse(0) : 0;
  }

  /** Returns the options of the loader that loads a replay's batches. */
  LoaderOptions<T> toKeep(int batches) {
    Values<T> keeping = withoutPrefetch();
    int processors = Runtime.getRuntime().availableProcessors();
    keeping.numWorkers = values.autoWorkers ? Math.min(numWorkers(), processors) : numWorkers();
    keeping.maxOpenBatches = batches;
    keeping.trackOpenBatches = false;
    return new LoaderOptions<>(keeping);
  }

  LoaderOptions<T> toReplay(int batches) {
    Values<T> replaying = withoutPrefetch();
    replaying.name = "replay of " + values.name;
    replaying.numWorkers = 0;
    replaying.maxOpenBatches = Math.min(values.maxOpenBatches, batches);
    replaying.collator = PlaceholderDataset.collator();
    replaying.batchTransform = Optional.empty();
    replaying.allocator = HostAllocator.direct();
    replaying.readAhead = OptionalInt.of(0);
    return new LoaderOptions<>(replaying);
  }

  private Values<T> withoutPrefetch() {
    Values<T> options = values.copy();
    options.autoWorkers = false;
    options.prefetch = 1;
    options.prefetchBytes = OptionalLong.empty();
    options.prefetchFirstEpoch = false;
    options.prefetchNextEpoch = false;
    options.reorderWindow = 1;
    return options;
  }

  /** Returns the options in which loaders of a dataset usually differ, each with its name. */
  @Override
  public String toString() {
    return ("LoaderOptions[name=%s, batchSize=%s, batched=%b, dropLast=%b, padLast=%b, numWorkers=%d,"
            + " autoWorkers=%b, prefetch=%d, prefetchBytes=%s, prefetchFirstEpoch=%b,"
            + " prefetchNextEpoch=%b, reorderWindow=%d, maxOpenBatches=%d, errorPolicy=%s,"
            + " timeout=%s, seed=%d, world=%s, readAhead=%s]")
        .formatted(
            values.name,
            values.batchSize,
            values.batched,
            values.dropLast,
            values.padLast,
            values.numWorkers,
            values.autoWorkers,
            values.prefetch,
            values.prefetchBytes,
            values.prefetchFirstEpoch,
            values.prefetchNextEpoch,
            values.reorderWindow,
            values.maxOpenBatches,
            values.errorPolicy,
            values.timeout,
            values.seed,
            values.world,
            values.readAhead);
  }
}
