package io.feedline;

import io.feedline.batch.BatchTransform;
import io.feedline.batch.Collator;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.ListCollator;
import io.feedline.batch.RowCollator;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleReader;
import io.feedline.internal.Durations;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.DistributedBatchSampler;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.ShardedSampler;
import io.feedline.sampler.TorchSampler;
import io.feedline.sampler.WorldInfo;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.internal.LoaderClock;
import io.feedline.stats.internal.MachineLoad;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The options of a {@link DataLoader}, named as in PyTorch. A setter throws {@link
 * IllegalArgumentException} for a value out of its range, and {@link #build} for options that
 * exclude each other.
 *
 * <pre>{@code
 * DataLoader.builder(images).batchSize(8).shuffle(true).build()
 * }</pre>
 *
 * <p>Not thread-safe.
 *
 * @param <T> a sample
 */
public final class DataLoaderBuilder<T> {

  private static final Logger LOG = LoggerFactory.getLogger(DataLoaderBuilder.class);
  private static final Duration LONGEST_TIME = Duration.ofNanos(Long.MAX_VALUE);

  private static final int MOST_WORKERS = 4096;

  static final int MOST_BATCHES = 1 << 16;

  private static final int AUTO_WORKERS = 64;

  private static final int AUTO_PREFETCH = 16;

  private static final long ANY = Long.MAX_VALUE;

  private static final AtomicBoolean WARNED_OF_MANY_WORKERS = new AtomicBoolean();

  private final Dataset<T> dataset;
  private final IterableDataset<T> stream;

  private final LoaderOptions.Values<T> options;

  private boolean shuffle;
  private Sampler sampler;
  private OptionalLong torchSeed = OptionalLong.empty();
  private BatchSampler batchSampler;
  private Tuner tuner;
  private OptionalInt prefetch = OptionalInt.empty();
  private boolean inOrder = true;
  private OptionalInt reorderWindow = OptionalInt.empty();
  private boolean customCollator;
  private boolean shuffleShards;
  private int shuffleBuffer;
  private int interleave = 1;
  private Remainder remainder;
  private Supplier<LoaderClock> clock = LoaderClock::new;

  DataLoaderBuilder(Dataset<T> dataset, IterableDataset<T> stream) {
    this.dataset = dataset;
    this.stream = stream;
    this.options = new LoaderOptions.Values<>(dataset == null ? stream.name() : dataset.name());
  }

  // ---- batches ------------------------------------------------------------------------------

  /** Sets the number of samples of a batch, 1 or more. Default 1, as in PyTorch. */
  public DataLoaderBuilder<T> batchSize(int batchSize) {
    options.batchSize = OptionalInt.of((int) inRange("batchSize", batchSize, 1, ANY));
    return this;
  }

  /**
   * Makes the loader deliver each sample by itself, with tensors that have no batch axis, as
   * PyTorch does with {@code batch_size=None}. Entries that are not tensors are lists of one
   * element.
   */
  public DataLoaderBuilder<T> withoutBatching() {
    options.batched = false;
    return this;
  }

  /** Sets the collator, which makes samples into a batch. Default {@link Collator#defaults}. */
  public DataLoaderBuilder<T> collator(RowCollator<T> collator) {
    options.collator = Objects.requireNonNull(collator, "collator");
    this.customCollator = true;
    return this;
  }

  /** Sets a collator that makes a list of samples into a batch, instead of the default one. */
  public DataLoaderBuilder<T> collator(ListCollator<T> collator) {
    options.collator = Objects.requireNonNull(collator, "collator");
    this.customCollator = true;
    return this;
  }

  /**
   * Sets a transform of each complete batch, such as MixUp; the worker that completed the batch
   * applies it. Default: nothing.
   */
  public DataLoaderBuilder<T> batchTransform(BatchTransform batchTransform) {
    options.batchTransform = Optional.of(batchTransform);
    return this;
  }

  /** Sets whether a last batch of fewer samples is left out. Default false. */
  public DataLoaderBuilder<T> dropLast(boolean dropLast) {
    options.dropLast = dropLast;
    return this;
  }

  /**
   * Sets whether a last batch of fewer samples is filled up with copies of its own rows, from the
   * first on, so that all batches have one shape. The samples of these rows are not made again, and
   * {@link io.feedline.batch.Batch#valid} returns the number of rows that are no copies. Batches
   * from which a failing sample was skipped are filled up, too. Default false.
   */
  public DataLoaderBuilder<T> padLast(boolean padLast) {
    options.padLast = padLast;
    return this;
  }

  // ---- order --------------------------------------------------------------------------------

  /**
   * Sets whether each epoch visits the samples in a random order of its own ({@link RandomSampler}
   * with the loader's seed). Default false. A stream has {@link #shuffleBuffer} instead.
   */
  public DataLoaderBuilder<T> shuffle(boolean shuffle) {
    this.shuffle = shuffle;
    return this;
  }

  /** Sets the order of an epoch's samples, instead of {@link #shuffle}. */
  public DataLoaderBuilder<T> sampler(Sampler sampler) {
    this.sampler = Objects.requireNonNull(sampler, "sampler");
    return this;
  }

  /**
   * Sets PyTorch's order, index for index, instead of shuffle: the order of {@code
   * DataLoader(dataset, shuffle=True, generator=torch.Generator().manual_seed(seed))} if each epoch
   * runs to its end; with several ranks, the order of {@code DistributedSampler(dataset,
   * seed=seed)}. An order takes up to 8 bytes per sample. {@link TorchSampler} has the other
   * variants, including the order that PyTorch has after an epoch that was left early.
   */
  public DataLoaderBuilder<T> torchOrder(long seed) {
    this.torchSeed = OptionalLong.of(seed);
    return this;
  }

  /** Sets the samples of each batch, instead of batch size, shuffle, sampler and dropLast. */
  public DataLoaderBuilder<T> batchSampler(BatchSampler batchSampler) {
    this.batchSampler = Objects.requireNonNull(batchSampler, "batchSampler");
    return this;
  }

  /**
   * Sets the seed of everything random: the shuffle, the random transforms, substitutes. Equal
   * seeds give equal epochs. Default 0.
   */
  public DataLoaderBuilder<T> seed(long seed) {
    options.seed = seed;
    return this;
  }

  /** Sets, for a stream, whether each epoch reads the shards in a random order. Default false. */
  public DataLoaderBuilder<T> shuffleShards(boolean shuffleShards) {
    this.shuffleShards = shuffleShards;
    return this;
  }

  /**
   * Sets the number of samples in the buffer through which a stream is shuffled, 0 or more. The
   * buffer contains samples as they were read, before they are decoded and transformed. Default 0:
   * no shuffling.
   */
  public DataLoaderBuilder<T> shuffleBuffer(int samples) {
    this.shuffleBuffer = (int) inRange("shuffleBuffer", samples, 0, ANY);
    return this;
  }

  /** Sets how many shards of a stream, 1 or more, are read in turn, one sample each. Default 1. */
  public DataLoaderBuilder<T> interleave(int shards) {
    this.interleave = (int) inRange("interleave", shards, 1, ANY);
    return this;
  }

  // ---- workers ------------------------------------------------------------------------------

  /**
   * Sets the number of worker threads, 4096 at most. 0 means that {@code next()} makes the batch in
   * the consumer's thread. Default: the number of processors that the JVM may use; threads are
   * cheap, unlike PyTorch's worker processes, whose default is 0.
   */
  public DataLoaderBuilder<T> numWorkers(int numWorkers) {
    options.numWorkers = (int) inRange("numWorkers", numWorkers, 0, MOST_WORKERS);
    options.autoWorkers = false;
    return this;
  }

  /**
   * Lets the loader find the number of workers, at most 64, or four for each processor if that is
   * more. See {@link #autoWorkers(int)}.
   */
  public DataLoaderBuilder<T> autoWorkers() {
    int processors = Runtime.getRuntime().availableProcessors();
    return autoWorkers(Math.min(MOST_WORKERS, Math.max(AUTO_WORKERS, 4 * processors)));
  }

  /**
   * Lets the loader find the number of workers by itself, and change the number when the work
   * changes. The loader begins with a few workers. {@link LoaderStats#tuning} and the log, at level
   * debug, contain the numbers and the reasons. The number does not change the batches. The loader
   * also finds {@link #prefetch}, unless you set it.
   *
   * @param most the largest number of workers, from 1 to 4096
   */
  public DataLoaderBuilder<T> autoWorkers(int most) {
    options.numWorkers = (int) inRange("autoWorkers", most, 1, MOST_WORKERS);
    options.autoWorkers = true;
    return this;
  }

  /**
   * Sets a function that prepares each worker before its first sample; without workers it is not
   * called. Default: nothing.
   */
  public DataLoaderBuilder<T> workerInit(WorkerInit workerInit) {
    options.workerInit = Objects.requireNonNull(workerInit, "workerInit");
    return this;
  }

  /**
   * Sets how many batches are prepared ahead of the consumer, from 1 to 65 536; needs workers.
   * Default 2; with small batches, enough batches for two samples per worker. The loader allocates
   * memory when it is first needed, for this number of batches and {@link #maxOpenBatches} more,
   * and keeps the memory. Without this call, {@link #autoWorkers} chooses the number: enough for
   * the workers, and more if the consumer takes batches in bursts, as far as {@link
   * #prefetchBytes}, the allocator's {@link HostAllocator#budget budget} and a quarter of the JVM's
   * {@linkplain Runtime#maxMemory memory} allow.
   */
  public DataLoaderBuilder<T> prefetch(int batches) {
    this.prefetch = OptionalInt.of((int) inRange("prefetch", batches, 1, MOST_BATCHES));
    return this;
  }

  /**
   * Sets how much host memory batches may take before fewer than {@link #prefetch} are prepared
   * ahead. One batch is always prepared, however large. Direct memory that became too small for a
   * batch counts until the garbage collector has freed it. Default: no bound.
   *
   * @param bytes 1 or more
   */
  public DataLoaderBuilder<T> prefetchBytes(long bytes) {
    options.prefetchBytes = OptionalLong.of(inRange("prefetchBytes", bytes, 1, ANY));
    return this;
  }

  /**
   * Sets whether workers begin epoch 0 when the loader is built, rather than when the consumer
   * begins it. A program that makes its model meanwhile then finds the first batches ready. Default
   * false: a loader that is never iterated would keep its workers and batches until it is closed.
   * The loader drops the prepared batches if it {@link DataLoader#resume resumes} or begins with
   * another epoch. Without workers, and for a stream that is {@link IterableDataset#readOnce read
   * once}, it changes nothing.
   */
  public DataLoaderBuilder<T> prefetchFirstEpoch(boolean prefetchFirstEpoch) {
    options.prefetchFirstEpoch = prefetchFirstEpoch;
    return this;
  }

  /**
   * Sets whether workers that have nothing left to do in an epoch begin the next epoch. Default
   * true. Has no effect without workers, and for a stream that is {@link IterableDataset#readOnce
   * read once}.
   */
  public DataLoaderBuilder<T> prefetchNextEpoch(boolean prefetchNextEpoch) {
    options.prefetchNextEpoch = prefetchNextEpoch;
    return this;
  }

  /**
   * Sets whether batches are delivered in the epoch's order. If false, they are delivered in the
   * order in which they are completed, within the {@link #reorderWindow}; their content is the
   * same. Default true.
   */
  public DataLoaderBuilder<T> inOrder(boolean inOrder) {
    this.inOrder = inOrder;
    return this;
  }

  /**
   * Sets the window of {@code inOrder(false)}: a batch may be at most {@code batches - 1} places
   * ahead of the earliest batch that is still missing. Default: {@link #prefetch}.
   */
  public DataLoaderBuilder<T> reorderWindow(int batches) {
    this.reorderWindow = OptionalInt.of((int) inRange("reorderWindow", batches, 1, ANY));
    return this;
  }

  /**
   * Sets how many reads may be under way ahead of the workers, from 0 to 4096. The loader knows
   * which samples come next, also after the end of the epoch, and begins to read them before a
   * worker needs them. This hides the latency of remote storage or a cold disk, which answers many
   * reads at once faster than reads one after the other.
   *
   * <p>By default up to 64 reads are under way, and only samples of readers that {@linkplain
   * SampleReader#prefersReadAhead prefer reading ahead} are read ahead, such as readers of remote
   * files. A stream is not read ahead.
   *
   * @param reads 0: nothing is read ahead
   */
  public DataLoaderBuilder<T> readAhead(int reads) {
    options.readAhead = OptionalInt.of((int) inRange("readAhead", reads, 0, MOST_WORKERS));
    return this;
  }

  /**
   * Sets the heap memory that reading ahead may take, for reads under way and for bytes that
   * workers have not taken yet. A sample that is larger is read by its worker. Default 64 MiB.
   *
   * @param bytes 1 or more
   */
  public DataLoaderBuilder<T> readAheadBytes(long bytes) {
    options.readAheadBytes = inRange("readAheadBytes", bytes, 1, ANY);
    return this;
  }

  // ---- the consumer -------------------------------------------------------------------------

  /**
   * Sets how many batches the consumer may hold open at once, from 1 to 65 536. {@code next()}
   * throws if the consumer holds this number of batches, since the consumer would otherwise wait
   * for itself. Default 2.
   */
  public DataLoaderBuilder<T> maxOpenBatches(int batches) {
    options.maxOpenBatches = (int) inRange("maxOpenBatches", batches, 1, MOST_BATCHES);
    return this;
  }

  /**
   * Sets whether the loader records the place in the code at which each batch was taken. The
   * exception for too many open batches, and a warning when the loader is closed, then show where
   * the unclosed batches were taken. Costs a stack trace per batch. Default: the system property
   * {@code feedline.trackOpenBatches}.
   */
  public DataLoaderBuilder<T> trackOpenBatches(boolean trackOpenBatches) {
    options.trackOpenBatches = trackOpenBatches;
    return this;
  }

  /**
   * Sets how long {@code next()} waits for a batch before it throws; the next call then waits for
   * the same batch. Needs workers. Zero, the default, sets no limit.
   */
  public DataLoaderBuilder<T> timeout(Duration timeout) {
    require(!timeout.isNegative(), "timeout must not be negative, was %s", timeout);
    requireNanos("timeout", timeout);
    options.timeout = timeout.isZero() ? Optional.empty() : Optional.of(timeout);
    return this;
  }

  /**
   * Sets how long {@code next()} waits for a batch before the wait counts as a stall; {@link
   * LoaderStats#stalls} returns the causes of stalls. Changes nothing else. Default 10
   * milliseconds: a shorter wait goes unnoticed in most trainings, and often only means that
   * another process ran.
   *
   * @param stallThreshold more than zero
   */
  public DataLoaderBuilder<T> stallThreshold(Duration stallThreshold) {
    require(
        !stallThreshold.isNegative() && !stallThreshold.isZero(),
        "stallThreshold must be more than zero, was %s",
        stallThreshold);
    requireNanos("stallThreshold", stallThreshold);
    options.stallThreshold = stallThreshold;
    return this;
  }

  // ---- failures, ranks, memory --------------------------------------------------------------

  /** Sets the treatment of samples that fail. Default {@link ErrorPolicy#fail}. */
  public DataLoaderBuilder<T> errorPolicy(ErrorPolicy errorPolicy) {
    options.errorPolicy = Objects.requireNonNull(errorPolicy, "errorPolicy");
    return this;
  }

  /**
   * Sets this process's part in distributed training: the loader deals samples to the ranks in
   * turn; with a batch sampler, it deals batches. Each rank makes the same number of steps, which
   * is known beforehand. All ranks must use the same seed. Default: one process.
   *
   * <p>For a stream, each rank reads its own shards if all shards declare their size, and if there
   * are at least as many shards with samples as ranks. An epoch then ends for all ranks when one
   * rank has no more samples. Otherwise each rank reads the whole stream, and takes every {@code
   * worldSize}-th sample; last samples that do not suffice for all ranks are left out. All ranks
   * must then see the same samples in the same order. A source that gives each process samples of
   * its own must not be dealt again: use no {@code distributed} for it, but another {@link #seed}
   * in each process.
   *
   * @param world for instance {@link WorldInfo#fromEnvironment}
   */
  public DataLoaderBuilder<T> distributed(WorldInfo world) {
    options.world = Objects.requireNonNull(world, "world");
    return this;
  }

  /**
   * Sets this process's part in distributed training.
   *
   * @param world for instance {@link WorldInfo#fromEnvironment}
   * @param remainder the treatment of samples that cannot be dealt evenly; by default {@link
   *     Remainder#PAD}, as in PyTorch, and for a stream {@link Remainder#DROP}. With {@link
   *     Remainder#EXACT}, ranks share the shards of a stream even if their sizes are not declared
   */
  public DataLoaderBuilder<T> distributed(WorldInfo world, Remainder remainder) {
    this.remainder = Objects.requireNonNull(remainder, "remainder");
    return distributed(world);
  }

  /**
   * Sets this process's part in distributed training.
   *
   * @param rank from 0 to {@code worldSize - 1}
   * @param worldSize the number of processes
   * @throws IllegalArgumentException if an argument is out of range
   */
  public DataLoaderBuilder<T> distributed(int rank, int worldSize) {
    return distributed(new WorldInfo(rank, worldSize));
  }

  /**
   * Sets the allocator of the batches' memory, for example of pinned memory for a GPU. Default
   * {@link HostAllocator#direct}.
   */
  public DataLoaderBuilder<T> allocator(HostAllocator allocator) {
    options.allocator = Objects.requireNonNull(allocator, "allocator");
    return this;
  }

  /** Sets the loader's name in thread names and errors. Default: the dataset's name. */
  public DataLoaderBuilder<T> name(String name) {
    options.name = Objects.requireNonNull(name, "name");
    return this;
  }

  DataLoaderBuilder<T> clock(LongSupplier nanos) {
    this.clock = () -> new LoaderClock(nanos);
    return this;
  }

  DataLoaderBuilder<T> clock(LongSupplier nanos, LongSupplier cpuNanos, MachineLoad machine) {
    this.clock = () -> new LoaderClock(nanos, cpuNanos, machine);
    return this;
  }

  DataLoaderBuilder<T> tuner(Tuner tuner) {
    this.tuner = tuner;
    return this;
  }

  /**
   * Builds the loader, which the caller closes. The loader starts its workers with the first epoch;
   * with {@link #prefetchFirstEpoch}, at once.
   *
   * @throws IllegalArgumentException if an option is out of its range, or two options exclude each
   *     other; the message names the options and their values
   */
  public DataLoader<T> build() {
    checkWorkers();
    checkOrder();
    checkBatches();
    LoaderOptions<T> built = new LoaderOptions<>(built());
    LoaderClock time = clock.get();
    DataLoader<T> loader =
        new DataLoader<>(built, epochs(), time, built.autoWorkers() ? tuner(built, time) : null);
    if (built.prefetchFirstEpoch()) {
      try {
        loader.engine().beginAhead(0);
      } catch (RuntimeException | Error e) {
        loader.close();
        throw e;
      }
    }
    return loader;
  }

  private Tuner tuner(LoaderOptions<T> built, LoaderClock time) {
    if (tuner != null) {
      return tuner;
    }
    WorkerTuner.Limits limits =
        WorkerTuner.Limits.of(built, prefetch.isPresent(), Runtime.getRuntime());
    return new WorkerTuner(
        limits, built.batchSize().orElse(1), time::cpuOfWorkers, time::fairShare);
  }

  private void checkWorkers() {
    if (options.numWorkers == 0) {
      final String reason = " needs workers, and numWorkers is 0";
      require(prefetch.isEmpty(), "prefetch(%s)" + reason, prefetch.orElse(0));
      require(
          options.timeout.isEmpty(), "timeout(%s)" + reason, options.timeout.orElse(Duration.ZERO));
    }
    require(
        reorderWindow.isEmpty() || !inOrder,
        "reorderWindow(%s) goes with inOrder(false)",
        reorderWindow.orElse(0));
    int processors = Runtime.getRuntime().availableProcessors();
    if (!options.autoWorkers
        && options.numWorkers > processors
        && WARNED_OF_MANY_WORKERS.compareAndSet(false, true)) {
      LOG.warn(
          "{} has {} workers on {} processors; more than one per processor helps only where samples"
              + " are waited for. (This is said once.)",
          options.name,
          options.numWorkers,
          processors);
    }
  }

  private void checkOrder() {
    if (stream != null) {
      require(
          stream.shards() >= 1,
          "a stream has 1 shard or more; %s has %s",
          stream.name(),
          stream.shards());
      final String reason = " does not go with a stream, which has an order of its own";
      require(!shuffle, "shuffle(true)" + reason + "; shuffleBuffer does");
      require(sampler == null, "sampler(%s)" + reason, sampler);
      require(torchSeed.isEmpty(), "torchOrder" + reason);
      require(batchSampler == null, "batchSampler(%s)" + reason, batchSampler);
      require(
          options.readAhead.orElse(0) == 0,
          "readAhead(%s) does not go with a stream, which is read in order",
          options.readAhead.orElse(0));
      require(
          remainder != Remainder.PAD,
          "distributed(..., PAD) does not go with a stream, which cannot repeat samples");
      require(
          options.errorPolicy.action() != ErrorPolicy.Action.SUBSTITUTE,
          "errorPolicy(%s) does not go with a stream: no sample can be looked up",
          options.errorPolicy);
    } else {
      final String reason =
          " goes with a stream; this dataset has random access: use shuffle or a sampler";
      require(!shuffleShards, "shuffleShards(true)" + reason);
      require(shuffleBuffer == 0, "shuffleBuffer(%s)" + reason, shuffleBuffer);
      require(interleave == 1, "interleave(%s)" + reason, interleave);
    }
    require(
        options.world.worldSize() == 1 || dealtWorld().worldSize() == 1,
        "distributed(%s) and a sampler that deals to ranks itself exclude each other",
        options.world);
    require(
        sampler == null || !shuffle, "shuffle(true) and sampler(%s) exclude each other", sampler);
    require(
        torchSeed.isEmpty() || !shuffle,
        "torchOrder(%s) and shuffle(true) exclude each other",
        torchSeed.orElse(0));
    require(
        torchSeed.isEmpty() || sampler == null,
        "torchOrder(%s) and sampler(%s) exclude each other",
        torchSeed.orElse(0),
        sampler);
    if (batchSampler != null) {
      final String reason = " does not go with a batch sampler, which decides about it";
      requireNoBatches(reason);
      require(options.batched, "withoutBatching()" + reason);
      require(!shuffle, "shuffle(true)" + reason);
      require(sampler == null, "sampler(%s)" + reason, sampler);
      require(torchSeed.isEmpty(), "torchOrder" + reason);
    }
  }

  private void checkBatches() {
    require(
        !options.dropLast || !options.padLast,
        "dropLast(true) and padLast(true) exclude each other");
    if (!options.batched) {
      final String reason = " does not go with withoutBatching()";
      requireNoBatches(reason);
      require(!customCollator, "a collator" + reason);
      require(
          options.batchTransform.isEmpty(),
          "batchTransform(%s)" + reason,
          options.batchTransform.orElse(null));
    }
  }

  private void requireNoBatches(String reason) {
    int size = options.batchSize.getAsInt();
    require(size == 1, "batchSize(%s)" + reason, size);
    require(!options.dropLast, "dropLast(true)" + reason);
    require(!options.padLast, "padLast(true)" + reason);
  }

  private static long inRange(String option, long value, long least, long most) {
    require(
        value >= least && value <= most,
        option + " must be %s or more%s, was %s",
        least,
        most == ANY ? "" : ", and " + most + " at most",
        value);
    return value;
  }

  private static void requireNanos(String option, Duration time) {
    require(
        time.compareTo(LONGEST_TIME) <= 0,
        option + " must be at most %s, was %s",
        LONGEST_TIME,
        time);
  }

  /** Throws if the condition is false; formats the message only then, for a fast start. */
  private static void require(boolean condition, String format, Object... found) {
    if (!condition) {
      Object[] words =
          Arrays.stream(found)
              .map(each -> each instanceof Duration time ? Durations.words(time) : each)
              .toArray();
      throw new IllegalArgumentException(format.formatted(words));
    }
  }

  private LoaderOptions.Values<T> built() {
    LoaderOptions.Values<T> built = options.copy();
    built.world = effectiveWorld();
    built.prefetch = effectivePrefetch();
    built.reorderWindow = inOrder ? 1 : reorderWindow.orElse(built.prefetch);
    if (batchSampler != null) {
      built.batchSize = OptionalInt.empty();
    }
    // Workers can begin an epoch ahead of time if the dataset can be read twice.
    boolean ahead = built.numWorkers != 0 && (stream == null || !stream.readOnce());
    built.prefetchFirstEpoch &= ahead;
    built.prefetchNextEpoch &= ahead;
    return built;
  }

  private WorldInfo effectiveWorld() {
    return options.world.worldSize() == 1 ? dealtWorld() : options.world;
  }

  private WorldInfo dealtWorld() {
    if (sampler instanceof DistributedSampler distributed) {
      return distributed.world();
    }
    if (sampler instanceof ShardedSampler sharded) {
      return sharded.world();
    }
    return batchSampler instanceof DistributedBatchSampler distributed
        ? distributed.world()
        : WorldInfo.SINGLE;
  }

  private int effectivePrefetch() {
    if (options.numWorkers == 0 || prefetch.isPresent()) {
      return prefetch.orElse(1);
    }
    int samplesPerBatch = batchSampler == null ? options.batchSize.getAsInt() : 1;
    int needed = LoaderOptions.prefetchFor(options.numWorkers, samplesPerBatch);
    return options.autoWorkers ? Math.max(needed, AUTO_PREFETCH) : needed;
  }

  private EpochFactory<T> epochs() {
    WorldInfo world = options.world;
    int batchSize = options.batchSize.getAsInt();
    if (stream != null) {
      boolean evenly = remainder != Remainder.EXACT;
      boolean byShards = StreamedEpochs.dealsShards(stream, world, evenly);
      if (!byShards
          && stream.shards() >= world.worldSize()
          && !StreamedEpochs.declaresSizes(stream)) {
        LOG.warn(
            "each of {} ranks reads all {} shards of {}, since not all their sizes are declared;"
                + " shardSize(...) declares them, and each rank reads its own only",
            world.worldSize(),
            stream.shards(),
            stream.name());
      }
      ShardMixing mixing = new ShardMixing(shuffleShards, shuffleBuffer, interleave, options.seed);
      return new StreamedEpochs<>(
          stream, batchSize, options.dropLast, mixing, world, evenly, byShards);
    }
    Remainder dealt = remainder == null ? Remainder.PAD : remainder;
    if (batchSampler != null) {
      BatchSampler mine =
          world.worldSize() == 1
              ? batchSampler
              : DistributedBatchSampler.of(batchSampler, world, dealt);
      return IndexedEpochs.of(dataset, mine);
    }
    Sampler all = effectiveSampler();
    Sampler mine =
        world.worldSize() == 1
            ? all
            : DistributedSampler.builder(all, world).remainder(dealt).build();
    return IndexedEpochs.of(dataset, mine, batchSize, options.dropLast);
  }

  private Sampler effectiveSampler() {
    if (sampler != null) {
      return sampler;
    }
    if (torchSeed.isPresent()) {
      long torch = torchSeed.getAsLong();
      return options.world.worldSize() == 1
          ? TorchSampler.of(dataset.size(), torch)
          : TorchSampler.permutation(dataset.size(), torch);
    }
    return shuffle
        ? RandomSampler.of(dataset.size(), options.seed)
        : SequentialSampler.of(dataset.size());
  }

  /**
   * The preparation of a worker thread before it makes its first sample, like PyTorch's {@code
   * worker_init_fn}. Thread-safe: workers call it at once, each for itself.
   */
  @FunctionalInterface
  public interface WorkerInit {
    /**
     * Prepares one worker; each worker calls it once, in its thread.
     *
     * @param worker from 0 to {@code numWorkers - 1}
     * @throws Exception if the worker cannot work; the loader then fails at once, with this
     *     exception as cause
     */
    void init(int worker) throws Exception;
  }
}
