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

/**
 * The options that a {@link DataLoader} was built with, after validation and with defaults filled
 * in.
 *
 * @param <T> a sample
 */
public final class LoaderOptions<T> {

  private final Values<T> values;

  LoaderOptions(Values<T> values) {
    this.values = values;
  }

  /** All options, as {@link DataLoaderBuilder} has them. */
  record Values<T>(
      String name,
      OptionalInt batchSize,
      boolean batched,
      LastBatch lastBatch,
      int numWorkers,
      boolean autoWorkers,
      WorkerInit workerInit,
      int prefetch,
      long prefetchBytes,
      boolean prefetchFirstEpoch,
      boolean prefetchNextEpoch,
      int reorderWindow,
      int maxOpenBatches,
      boolean trackOpenBatches,
      Collator<T> collator,
      Optional<BatchTransform> batchTransform,
      ErrorPolicy errorPolicy,
      Duration stallThreshold,
      Duration timeout,
      long seed,
      WorldInfo world,
      HostAllocator allocator,
      OptionalInt readAhead,
      long readAheadBytes) {}

  /** Returns the name of the loader in thread names, errors and logs. */
  public String name() {
    return values.name();
  }

  /**
   * Returns the number of samples per batch; empty where a batch sampler decides, 1 where batching
   * is off.
   */
  public OptionalInt batchSize() {
    return values.batchSize();
  }

  /** Returns whether samples are put together; where not, each comes without a batch axis. */
  public boolean batched() {
    return values.batched();
  }

  /** Returns what becomes of a last batch that is short. */
  public LastBatch lastBatch() {
    return values.lastBatch();
  }

  /** Returns the number of worker threads; 0: the consumer's thread makes the batches. */
  public int numWorkers() {
    return values.numWorkers();
  }

  /**
   * Returns whether the loader sets the number of workers and of batches ahead itself: {@code
   * numWorkers} and {@code prefetch} are then the most, and {@link LoaderStats#tuning} says what
   * they are.
   */
  public boolean autoWorkers() {
    return values.autoWorkers();
  }

  /** Returns what prepares each worker. */
  public WorkerInit workerInit() {
    return values.workerInit();
  }

  /** Returns how many batches are prepared ahead of the consumer; 1 without workers. */
  public int prefetch() {
    return values.prefetch();
  }

  /** Returns how many bytes of memory batches may take for that; {@link Long#MAX_VALUE}: any. */
  public long prefetchBytes() {
    return values.prefetchBytes();
  }

  /**
   * Returns whether workers begin epoch 0 when the loader is built; false without workers, and for
   * a stream that is read once.
   */
  public boolean prefetchFirstEpoch() {
    return values.prefetchFirstEpoch();
  }

  /**
   * Returns whether workers with nothing left to do begin the next epoch; false without workers,
   * and for a stream that is read once.
   */
  public boolean prefetchNextEpoch() {
    return values.prefetchNextEpoch();
  }

  /**
   * Returns how many batches may be on their way when one of them is delivered out of turn; 1: all
   * are delivered in order.
   */
  public int reorderWindow() {
    return values.reorderWindow();
  }

  /** Returns how many batches the consumer may hold. */
  public int maxOpenBatches() {
    return values.maxOpenBatches();
  }

  /** Returns whether each batch remembers where it was taken. */
  public boolean trackOpenBatches() {
    return values.trackOpenBatches();
  }

  /** Returns how samples become a batch. */
  public Collator<T> collator() {
    return values.collator();
  }

  /** Returns what changes each batch before it is delivered. */
  public Optional<BatchTransform> batchTransform() {
    return values.batchTransform();
  }

  /** Returns what is done about samples that fail. */
  public ErrorPolicy errorPolicy() {
    return values.errorPolicy();
  }

  /** Returns how long {@code next()} waits for a batch that counts as a stall. */
  public Duration stallThreshold() {
    return values.stallThreshold();
  }

  /** Returns how long {@code next()} waits; zero: without a limit. */
  public Duration timeout() {
    return values.timeout();
  }

  /** Returns the seed of everything random. */
  public long seed() {
    return values.seed();
  }

  /** Returns which of how many processes this is. */
  public WorldInfo world() {
    return values.world();
  }

  /** Returns where the batches' memory comes from. */
  public HostAllocator allocator() {
    return values.allocator();
  }

  /**
   * Returns how many reads may be under way ahead of the workers, 0: none; empty: as many as
   * datasets need that prefer it, and none of others.
   */
  public OptionalInt readAhead() {
    return values.readAhead();
  }

  /** Returns how many bytes the reads ahead, and what they have read, may take. */
  public long readAheadBytes() {
    return values.readAheadBytes();
  }

  /** Returns how many batches there are at most, in production and open. */
  int slots() {
    return prefetch() + maxOpenBatches();
  }

  /** Returns how many batches ahead keep so many workers busy: two samples for each of them. */
  static int prefetchFor(int workers, double batchSize) {
    return (int) Math.max(2, 1 + Math.ceil(2 * workers / batchSize));
  }

  /** Returns the rows of a batch that is padded; 0 where none is. */
  int rowsOfPaddedBatch() {
    return lastBatch() == LastBatch.PAD ? batchSize().orElse(0) : 0;
  }

  /** Returns the options of a loader whose first batches are kept, and that does little more. */
  LoaderOptions<T> toKeep(int batches) {
    int processors = Runtime.getRuntime().availableProcessors();
    int workers = autoWorkers() ? Math.min(numWorkers(), processors) : numWorkers();
    return with(
        name(), workers, batches, false, collator(), batchTransform(), allocator(), readAhead());
  }

  /** Returns the options of a loader that replays so many batches. */
  LoaderOptions<T> toReplay(int batches) {
    return with(
        "replay of " + name(),
        0,
        Math.min(maxOpenBatches(), batches),
        trackOpenBatches(),
        PlaceholderDataset.collator(),
        Optional.empty(),
        HostAllocator.direct(),
        OptionalInt.of(0));
  }

  /** Returns options without prefetching and without reordering. */
  private LoaderOptions<T> with(
      String newName,
      int workers,
      int maxOpen,
      boolean trackOpen,
      Collator<T> newCollator,
      Optional<BatchTransform> newTransform,
      HostAllocator newAllocator,
      OptionalInt newReadAhead) {
    return new LoaderOptions<>(
        new Values<>(
            newName,
            batchSize(),
            batched(),
            lastBatch(),
            workers,
            false,
            workerInit(),
            1,
            Long.MAX_VALUE,
            false,
            false,
            1,
            maxOpen,
            trackOpen,
            newCollator,
            newTransform,
            errorPolicy(),
            stallThreshold(),
            timeout(),
            seed(),
            world(),
            newAllocator,
            newReadAhead,
            readAheadBytes()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoaderOptions<?> that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** Returns all values by name. */
  @Override
  public String toString() {
    return "LoaderOptions" + values.toString().substring("Values".length());
  }
}
