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
import io.feedline.stats.internal.WorkerCpu;
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
 * The options of a {@link DataLoader}, named as PyTorch names them. {@link #build} checks them, and
 * throws {@link IllegalArgumentException} for a value out of its range, unless the setter does.
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
  private static final Duration LONGEST_TIMEOUT = Duration.ofNanos(Long.MAX_VALUE);

  /** The most workers: threads beyond it cost more memory and scheduling than they can give. */
  private static final int MOST_WORKERS = 4096;

  /** The most batches that are prepared ahead or held open: each may come to have a slot. */
  static final int MOST_BATCHES = 1 << 16;

  /** The most workers of AUTO, if there are not many processors. */
  private static final int AUTO_WORKERS = 64;

  /** The most batches ahead of AUTO, if the workers do not need more. */
  private static final int AUTO_PREFETCH = 16;

  private static final AtomicBoolean WARNED_OF_MANY_WORKERS = new AtomicBoolean();

  private final Dataset<T> dataset;
  private final IterableDataset<T> stream;

  private String name;
  private int batchSize = 1;
  private boolean batched = true;
  private Boolean shuffle;
  private Sampler sampler;
  private OptionalLong torchSeed = OptionalLong.empty();
  private BatchSampler batchSampler;
  private int numWorkers = Runtime.getRuntime().availableProcessors();
  private int maxWorkers;
  private Tuner tuner;
  private WorkerInit workerInit = worker -> {};
  private int prefetch;
  private long prefetchBytes = Long.MAX_VALUE;
  private boolean prefetchFirstEpoch;
  private boolean prefetchNextEpoch = true;
  private boolean inOrder = true;
  private int reorderWindow;
  private int maxOpenBatches = 2;
  private boolean trackOpenBatches = Boolean.getBoolean("feedline.trackOpenBatches");
  private Collator<T> collator = Collator.defaults();
  private boolean customCollator;
  private BatchTransform batchTransform;
  private LastBatch lastBatch = LastBatch.PARTIAL;
  private ErrorPolicy errorPolicy = ErrorPolicy.fail();
  private Duration stallThreshold = Duration.ofMillis(10);
  private Duration timeout = Duration.ZERO;
  private long seed;
  private HostAllocator allocator = HostAllocator.direct();
  private boolean shuffleShards;
  private int shuffleBuffer;
  private int interleave = 1;
  private WorldInfo world = WorldInfo.SINGLE;
  private Remainder remainder;
  private OptionalInt readAhead = OptionalInt.empty();
  private long readAheadBytes = 64L << 20;
  private Supplier<LoaderClock> clock = LoaderClock::new;

  DataLoaderBuilder(Dataset<T> dataset, IterableDataset<T> stream) {
    this.dataset = dataset;
    this.stream = stream;
    this.name = dataset == null ? stream.name() : dataset.name();
  }

  // ---- batches ------------------------------------------------------------------------------

  /** Sets the samples of a batch, 1 or more. Default 1, as in PyTorch. */
  public DataLoaderBuilder<T> batchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  /**
   * Delivers each sample by itself, its tensors without a batch axis: PyTorch's {@code
   * batch_size=None}. Values are still lists, of one.
   */
  public DataLoaderBuilder<T> withoutBatching() {
    this.batched = false;
    return this;
  }

  /** Sets how samples become a batch. Default {@link Collator#defaults}. */
  public DataLoaderBuilder<T> collator(RowCollator<T> collator) {
    this.collator = Objects.requireNonNull(collator, "collator");
    this.customCollator = true;
    return this;
  }

  /** Sets how a list of samples becomes a batch, instead of the default rules. */
  public DataLoaderBuilder<T> collator(ListCollator<T> collator) {
    this.collator = Objects.requireNonNull(collator, "collator");
    this.customCollator = true;
    return this;
  }

  /**
   * Sets what changes each batch when it is complete, on the worker that completed it: MixUp, for
   * instance. Default: nothing.
   */
  public DataLoaderBuilder<T> batchTransform(BatchTransform batchTransform) {
    this.batchTransform = Objects.requireNonNull(batchTransform, "batchTransform");
    return this;
  }

  /** Sets whether a last batch of fewer samples is left out. Default false. */
  public DataLoaderBuilder<T> dropLast(boolean dropLast) {
    return lastBatch(dropLast ? LastBatch.DROP : LastBatch.PARTIAL);
  }

  /** Sets what becomes of a last batch of fewer samples. Default {@link LastBatch#PARTIAL}. */
  public DataLoaderBuilder<T> lastBatch(LastBatch lastBatch) {
    this.lastBatch = Objects.requireNonNull(lastBatch, "lastBatch");
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

  /** Sets the order of an epoch, instead of shuffle. */
  public DataLoaderBuilder<T> sampler(Sampler sampler) {
    this.sampler = Objects.requireNonNull(sampler, "sampler");
    return this;
  }

  /**
   * Sets PyTorch's order, index for index, instead of shuffle: that of {@code DataLoader(dataset,
   * shuffle=True, generator=torch.Generator().manual_seed(seed))} where each epoch runs to its end;
   * with several ranks, that of {@code DistributedSampler(dataset, seed=seed)}. An order takes up
   * to 8 bytes per sample. {@link TorchSampler} has the other variants, also the order that PyTorch
   * has after an epoch that was left early.
   */
  public DataLoaderBuilder<T> torchOrder(long seed) {
    this.torchSeed = OptionalLong.of(seed);
    return this;
  }

  /** Sets the batches of an epoch, instead of batch size, shuffle, sampler and dropLast. */
  public DataLoaderBuilder<T> batchSampler(BatchSampler batchSampler) {
    this.batchSampler = Objects.requireNonNull(batchSampler, "batchSampler");
    return this;
  }

  /**
   * Sets the seed of everything random: the shuffle, the random transforms, substitutes. Equal
   * seeds give equal epochs. Default 0.
   */
  public DataLoaderBuilder<T> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /** Sets, for a stream, whether each epoch reads the shards in a random order. Default false. */
  public DataLoaderBuilder<T> shuffleShards(boolean shuffleShards) {
    this.shuffleShards = shuffleShards;
    return this;
  }

  /**
   * Sets the samples of the buffer through which a stream is shuffled, as read, before they are
   * made; 0 or more. Default 0: no shuffling.
   */
  public DataLoaderBuilder<T> shuffleBuffer(int samples) {
    this.shuffleBuffer = samples;
    return this;
  }

  /**
   * Sets, for a stream, how many shards are open at once and give a sample in turn; 1 or more.
   * Default 1.
   */
  public DataLoaderBuilder<T> interleave(int shards) {
    this.interleave = shards;
    return this;
  }

  // ---- workers ------------------------------------------------------------------------------

  /**
   * Sets the number of worker threads, 4096 at most. 0 means that {@code next()} makes the batch in
   * the consumer's thread. Default: the processors that the JVM may use; threads are cheap, unlike
   * PyTorch's worker processes, whose default is 0.
   *
   * <p>{@link DataLoader#AUTO} has the loader find the number by itself, and change it when the
   * work does. It begins with a few workers. From the share of the time for which the consumer
   * waits it computes how many would end the wait; it keeps them if samples come faster, and tries
   * no more than the processors can use. Where fewer do as well, for a slow consumer above all, it
   * takes fewer. Some seconds after the work has changed the number fits again. {@link
   * LoaderStats#tuning} has the numbers and the reasons, and at level debug the log. The batches
   * are the same as ever. {@link #prefetch} is then set with it, unless it is given.
   */
  public DataLoaderBuilder<T> numWorkers(int numWorkers) {
    this.numWorkers = numWorkers;
    return this;
  }

  /**
   * Sets the most workers of {@code numWorkers(AUTO)}, from 1 to 4096. Default 64, or four for each
   * processor where that is more: 64 readers have 3200 samples a second from storage that answers
   * within 20 ms, and threads that wait cost some 100 KB each.
   *
   * @throws IllegalArgumentException if the number is out of its range
   */
  public DataLoaderBuilder<T> maxWorkers(int maxWorkers) {
    require(
        maxWorkers >= 1 && maxWorkers <= MOST_WORKERS,
        "maxWorkers must be 1 or more, and " + MOST_WORKERS + " at most, was %s",
        maxWorkers);
    this.maxWorkers = maxWorkers;
    return this;
  }

  /**
   * Sets what prepares each worker before its first sample; not called without workers. Default:
   * nothing.
   */
  public DataLoaderBuilder<T> workerInit(WorkerInit workerInit) {
    this.workerInit = Objects.requireNonNull(workerInit, "workerInit");
    return this;
  }

  /**
   * Sets how many batches are prepared ahead of the consumer, from 1 to 65 536; needs workers.
   * Default 2, or as many as two samples per worker take where batches are small. The loader takes
   * memory, as it is needed, for this many batches and {@link #maxOpenBatches} more, and keeps it.
   * With {@code numWorkers(AUTO)} the default follows the workers, and is raised where the consumer
   * comes in bursts: as far as {@link #prefetchBytes}, the allocator's {@link HostAllocator#budget
   * budget} and a quarter of the JVM's {@linkplain Runtime#maxMemory memory} allow.
   *
   * @throws IllegalArgumentException if the number is below 1
   */
  public DataLoaderBuilder<T> prefetch(int batches) {
    require(batches >= 1, "prefetch must be 1 or more batches, was %s", batches);
    this.prefetch = batches;
    return this;
  }

  /**
   * Sets how much host memory batches may take before fewer than {@link #prefetch} are prepared
   * ahead. One batch is always prepared, however large. Direct memory that batches have outgrown
   * counts until the garbage collector has freed it. Default: no bound.
   *
   * @param bytes 1 or more
   */
  public DataLoaderBuilder<T> prefetchBytes(long bytes) {
    this.prefetchBytes = bytes;
    return this;
  }

  /**
   * Sets whether workers begin epoch 0 when the loader is built, rather than when it is asked for:
   * a program that makes its model meanwhile finds the first batches ready, and the JVM warm.
   * Default false, since a loader that is built costs nothing until it is read. With true one that
   * is not read has its workers, {@link #prefetch} batches in memory, the reads of these, and what
   * {@link #workerInit} does, until it is closed; and what was prepared is dropped where the loader
   * {@link DataLoader#resume resumes} or begins with another epoch. Batches, order and state are
   * the same. Without workers, and for a stream that is {@link IterableDataset#readOnce read once},
   * it changes nothing.
   */
  public DataLoaderBuilder<T> prefetchFirstEpoch(boolean prefetchFirstEpoch) {
    this.prefetchFirstEpoch = prefetchFirstEpoch;
    return this;
  }

  /**
   * Sets whether workers that have nothing left to do in an epoch begin the next one. Default true,
   * but for a stream that is {@link IterableDataset#readOnce read once}.
   */
  public DataLoaderBuilder<T> prefetchNextEpoch(boolean prefetchNextEpoch) {
    this.prefetchNextEpoch = prefetchNextEpoch;
    return this;
  }

  /**
   * Sets whether batches come in the epoch's order; otherwise, as they are completed, within the
   * {@link #reorderWindow}. Their content is the same. Default true.
   */
  public DataLoaderBuilder<T> inOrder(boolean inOrder) {
    this.inOrder = inOrder;
    return this;
  }

  /**
   * Sets the window of {@code inOrder(false)}: no batch is delivered before another that is this
   * many places, or more, ahead of it in the epoch's order. Default: {@link #prefetch}.
   *
   * @throws IllegalArgumentException if the number is below 1
   */
  public DataLoaderBuilder<T> reorderWindow(int batches) {
    require(batches >= 1, "reorderWindow must be 1 or more batches, was %s", batches);
    this.reorderWindow = batches;
    return this;
  }

  /**
   * Sets how many reads may be under way ahead of the workers, from 0 to 4096: the loader knows
   * which samples come next, over the end of the epoch too, and begins to read them before a worker
   * needs them. That hides the latency of a remote storage or a cold disk, where more reads at once
   * are faster, and workers should not wait for each. The order and the samples stay the same.
   *
   * <p>By default up to 64, of what {@link SampleReader#prefersReadAhead prefers} it, such as
   * remote files; nothing of local ones, for which it costs more than it gives. A number is of all
   * that a dataset announces ({@link Dataset#readAhead}); a stream announces nothing.
   *
   * @param reads 0: nothing is read ahead
   * @throws IllegalArgumentException if the number is out of range
   */
  public DataLoaderBuilder<T> readAhead(int reads) {
    require(
        reads >= 0 && reads <= MOST_WORKERS,
        "readAhead must be 0 or more reads, and " + MOST_WORKERS + " at most, was %s",
        reads);
    this.readAhead = OptionalInt.of(reads);
    return this;
  }

  /**
   * Sets how much heap memory reading ahead may take, for reads that are under way and for what
   * workers have not taken yet. A sample that is larger is read by its worker. Default 64 MiB.
   *
   * @param bytes 1 or more
   * @throws IllegalArgumentException if the number is below 1
   */
  public DataLoaderBuilder<T> readAheadBytes(long bytes) {
    require(bytes >= 1, "readAheadBytes must be 1 or more, was %s", bytes);
    this.readAheadBytes = bytes;
    return this;
  }

  // ---- the consumer -------------------------------------------------------------------------

  /**
   * Sets how many batches the consumer may hold open at once, from 1 to 65 536. {@code next()}
   * throws where it holds as many, since it would otherwise wait for itself. Default 2.
   */
  public DataLoaderBuilder<T> maxOpenBatches(int batches) {
    this.maxOpenBatches = batches;
    return this;
  }

  /**
   * Sets whether each batch remembers where it was taken, so that those which are not closed can be
   * found: in the exception when too many are open, and in a warning when the loader is closed.
   * Costs a stack trace per batch. Default: the system property {@code feedline.trackOpenBatches}.
   */
  public DataLoaderBuilder<T> trackOpenBatches(boolean trackOpenBatches) {
    this.trackOpenBatches = trackOpenBatches;
    return this;
  }

  /**
   * Sets how long {@code next()} waits for a batch before it throws; the batch is then still to
   * come. Needs workers. Default zero: without a limit.
   */
  public DataLoaderBuilder<T> timeout(Duration timeout) {
    this.timeout = Objects.requireNonNull(timeout, "timeout");
    return this;
  }

  /**
   * Sets how long {@code next()} waits for a batch before that counts as a stall, whose cause
   * {@link LoaderStats#stalls} tells. Changes nothing else. Default 10 milliseconds: less goes
   * unnoticed in most trainings, and is often no more than another process's turn.
   *
   * @param stallThreshold more than zero
   */
  public DataLoaderBuilder<T> stallThreshold(Duration stallThreshold) {
    this.stallThreshold = Objects.requireNonNull(stallThreshold, "stallThreshold");
    return this;
  }

  /** Sets what is done about samples that fail. Default {@link ErrorPolicy#fail}. */
  public DataLoaderBuilder<T> errorPolicy(ErrorPolicy errorPolicy) {
    this.errorPolicy = Objects.requireNonNull(errorPolicy, "errorPolicy");
    return this;
  }

  // ---- the rest -----------------------------------------------------------------------------

  /**
   * Sets this process's part in distributed training: samples are dealt to the ranks in turn, or
   * batches where a batch sampler makes them. Each rank makes the same number of steps, which is
   * known beforehand. All ranks must use the same seed. Default: one process.
   *
   * <p>Of a stream, each rank reads shards of its own where as many as ranks, or more, have
   * samples, and all declare their size; an epoch ends for all ranks when the first of them has no
   * more. Otherwise (one source, an endless one, shards of unknown sizes) each rank reads the whole
   * stream, in one order for all and through one shuffle, and takes every {@code worldSize}-th
   * sample: sample {@code i} is that of rank {@code i % worldSize}. Samples of other ranks are read
   * and not made. A last round that does not reach all ranks is left out, so a rank gives a sample
   * when its round has been read, and a stream of fewer samples than ranks gives none. All ranks
   * must see the same samples in the same order: a source that hands each process samples of its
   * own (a consumer group, a socket for each) is dealt already, and needs no {@code distributed},
   * but in each process another {@link #seed}, for other random transforms.
   *
   * @param world for instance {@link WorldInfo#fromEnvironment}
   */
  public DataLoaderBuilder<T> distributed(WorldInfo world) {
    this.world = Objects.requireNonNull(world, "world");
    return this;
  }

  /**
   * Sets this process's part in distributed training.
   *
   * @param world for instance {@link WorldInfo#fromEnvironment}
   * @param remainder what happens to samples that cannot be dealt evenly; by default they are
   *     {@link Remainder#PAD padded}, as in PyTorch, those of a stream {@link Remainder#DROP
   *     dropped}. With {@link Remainder#EXACT} ranks share shards whose sizes are not declared, too
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
   * @throws IllegalArgumentException if one is out of range
   */
  public DataLoaderBuilder<T> distributed(int rank, int worldSize) {
    return distributed(new WorldInfo(rank, worldSize));
  }

  /**
   * Sets where the batches' memory comes from: pinned memory for a GPU, for example. Default {@link
   * HostAllocator#direct}.
   */
  public DataLoaderBuilder<T> allocator(HostAllocator allocator) {
    this.allocator = Objects.requireNonNull(allocator, "allocator");
    return this;
  }

  /** Sets what the loader is called in thread names and errors. Default: the dataset's name. */
  public DataLoaderBuilder<T> name(String name) {
    this.name = Objects.requireNonNull(name, "name");
    return this;
  }

  /** Sets what the loader's figures read the time from, for tests; waiting goes by the real one. */
  DataLoaderBuilder<T> clock(LongSupplier nanos) {
    this.clock = () -> new LoaderClock(nanos);
    return this;
  }

  /** Sets what the calling thread's processor time, and the machine, are read from as well. */
  DataLoaderBuilder<T> clock(LongSupplier nanos, LongSupplier cpuNanos, MachineLoad machine) {
    this.clock = () -> new LoaderClock(nanos, cpuNanos, machine);
    return this;
  }

  /** Sets what tunes a loader with {@code numWorkers(AUTO)}, for tests. */
  DataLoaderBuilder<T> tuner(Tuner tuner) {
    this.tuner = tuner;
    return this;
  }

  /**
   * Builds the loader, which the caller closes; it starts its workers with the first epoch, or with
   * {@link #prefetchFirstEpoch} at once.
   *
   * @throws IllegalArgumentException if an option is out of its range or two exclude each other;
   *     the message names them and their values
   */
  public DataLoader<T> build() {
    checkWorkers();
    checkOrder();
    checkBatches();
    checkRest();
    LoaderOptions<T> options = options();
    LoaderClock time = clock.get();
    DataLoader<T> loader =
        new DataLoader<>(options, epochs(), time, auto() ? tuner(options, time) : null);
    if (options.prefetchFirstEpoch()) {
      try {
        loader.engine().beginAhead(0);
      } catch (RuntimeException | Error e) {
        loader.close();
        throw e;
      }
    }
    return loader;
  }

  private Tuner tuner(LoaderOptions<T> options, WorkerCpu cpu) {
    if (tuner != null) {
      return tuner;
    }
    WorkerTuner.Limits limits = WorkerTuner.Limits.of(options, prefetch > 0, Runtime.getRuntime());
    return new WorkerTuner(limits, options.batchSize().orElse(1), cpu);
  }

  private void checkWorkers() {
    require(
        auto() || (numWorkers >= 0 && numWorkers <= MOST_WORKERS),
        "numWorkers must be 0 or more, and "
            + MOST_WORKERS
            + " at most, or DataLoader.AUTO, was %s",
        numWorkers);
    require(
        maxWorkers == 0 || auto(),
        "maxWorkers(%s) goes with numWorkers(AUTO); numWorkers is %s",
        maxWorkers,
        numWorkers);
    require(
        !stallThreshold.isNegative()
            && !stallThreshold.isZero()
            && stallThreshold.compareTo(LONGEST_TIMEOUT) <= 0,
        "stallThreshold must be more than zero and at most %s, was %s",
        LONGEST_TIMEOUT,
        stallThreshold);
    require(!timeout.isNegative(), "timeout must not be negative, was %s", timeout);
    require(
        timeout.compareTo(LONGEST_TIMEOUT) <= 0,
        "timeout must be at most %s, was %s",
        LONGEST_TIMEOUT,
        timeout);
    require(
        numWorkers != 0 || prefetch == 0,
        "prefetch(%s) needs workers to prepare batches ahead; numWorkers is 0",
        prefetch);
    require(
        numWorkers != 0 || timeout.isZero(),
        "timeout(%s) needs workers to wait for; numWorkers is 0",
        timeout);
    require(
        prefetch <= MOST_BATCHES,
        "prefetch must be " + MOST_BATCHES + " batches at most, was %s",
        prefetch);
    require(prefetchBytes >= 1, "prefetchBytes must be 1 or more, was %s", prefetchBytes);
    require(
        reorderWindow == 0 || !inOrder,
        "reorderWindow(%s) goes with inOrder(false)",
        reorderWindow);
    int processors = Runtime.getRuntime().availableProcessors();
    if (numWorkers > processors && WARNED_OF_MANY_WORKERS.compareAndSet(false, true)) {
      LOG.warn(
          "{} has {} workers on {} processors; more than one per processor helps only where samples"
              + " are waited for. (This is said once.)",
          name,
          numWorkers,
          processors);
    }
  }

  private void checkOrder() {
    boolean shuffled = Boolean.TRUE.equals(shuffle);
    if (stream != null) {
      require(
          stream.shards() >= 1,
          "a stream has 1 shard or more; %s has %s",
          stream.name(),
          stream.shards());
      final String reason = " does not go with a stream, which has an order of its own";
      require(!shuffled, "shuffle(true)" + reason + "; shuffleBuffer does");
      require(sampler == null, "sampler(%s)" + reason, sampler);
      require(torchSeed.isEmpty(), "torchOrder" + reason);
      require(batchSampler == null, "batchSampler(%s)" + reason, batchSampler);
      require(
          readAhead.orElse(0) == 0,
          "readAhead(%s) does not go with a stream, which is read in order",
          readAhead.orElse(0));
      require(shuffleBuffer >= 0, "shuffleBuffer must be 0 or more, was %s", shuffleBuffer);
      require(interleave >= 1, "interleave must be 1 or more, was %s", interleave);
      require(
          remainder != Remainder.PAD,
          "distributed(..., PAD) does not go with a stream, which cannot repeat samples");
      require(
          errorPolicy.action() != ErrorPolicy.Action.SUBSTITUTE,
          "errorPolicy(%s) does not go with a stream: no sample can be looked up",
          errorPolicy);
    } else {
      final String reason =
          " goes with a stream; this dataset has random access: use shuffle or a sampler";
      require(!shuffleShards, "shuffleShards(true)" + reason);
      require(shuffleBuffer == 0, "shuffleBuffer(%s)" + reason, shuffleBuffer);
      require(interleave == 1, "interleave(%s)" + reason, interleave);
    }
    require(
        world.worldSize() == 1 || dealtWorld().worldSize() == 1,
        "distributed(%s) and a sampler that deals to ranks itself exclude each other",
        world);
    require(
        sampler == null || !shuffled, "shuffle(true) and sampler(%s) exclude each other", sampler);
    require(
        torchSeed.isEmpty() || !shuffled,
        "torchOrder(%s) and shuffle(true) exclude each other",
        torchSeed.orElse(0));
    require(
        torchSeed.isEmpty() || sampler == null,
        "torchOrder(%s) and sampler(%s) exclude each other",
        torchSeed.orElse(0),
        sampler);
    if (batchSampler != null) {
      final String reason = " does not go with a batch sampler, which decides about it";
      require(batchSize == 1, "batchSize(%s)" + reason, batchSize);
      require(batched, "withoutBatching()" + reason);
      require(!shuffled, "shuffle(true)" + reason);
      require(sampler == null, "sampler(%s)" + reason, sampler);
      require(torchSeed.isEmpty(), "torchOrder" + reason);
      require(lastBatch == LastBatch.PARTIAL, "lastBatch(%s)" + reason, lastBatch);
    }
  }

  private void checkBatches() {
    require(batchSize >= 1, "batchSize must be 1 or more, was %s", batchSize);
    if (!batched) {
      final String reason = " does not go with withoutBatching()";
      require(batchSize == 1, "batchSize(%s)" + reason, batchSize);
      require(lastBatch == LastBatch.PARTIAL, "lastBatch(%s)" + reason, lastBatch);
      require(!customCollator, "a collator" + reason);
      require(batchTransform == null, "batchTransform(%s)" + reason, batchTransform);
    }
  }

  private void checkRest() {
    require(
        maxOpenBatches >= 1 && maxOpenBatches <= MOST_BATCHES,
        "maxOpenBatches must be 1 or more, and " + MOST_BATCHES + " at most, was %s",
        maxOpenBatches);
  }

  /** The text is made for a failure alone: a loader's start has no time for fifty of them. */
  private static void require(boolean condition, String format, Object... found) {
    if (!condition) {
      Object[] words =
          Arrays.stream(found)
              .map(each -> each instanceof Duration time ? Durations.words(time) : each)
              .toArray();
      throw new IllegalArgumentException(format.formatted(words));
    }
  }

  private LoaderOptions<T> options() {
    int ahead = effectivePrefetch();
    int window = reorderWindow == 0 ? ahead : reorderWindow;
    return new LoaderOptions<>(
        new LoaderOptions.Values<>(
            name,
            batchSampler == null ? OptionalInt.of(batchSize) : OptionalInt.empty(),
            batched,
            lastBatch,
            workers(),
            auto(),
            workerInit,
            ahead,
            prefetchBytes,
            prefetchFirstEpoch && mayPrefetchEpochs(),
            prefetchNextEpoch && mayPrefetchEpochs(),
            inOrder ? 1 : window,
            maxOpenBatches,
            trackOpenBatches,
            collator,
            Optional.ofNullable(batchTransform),
            errorPolicy,
            stallThreshold,
            timeout,
            seed,
            effectiveWorld(),
            allocator,
            readAhead,
            readAheadBytes));
  }

  /**
   * Tests whether workers can begin an epoch ahead of time, which the dataset must allow to be
   * begun twice.
   */
  private boolean mayPrefetchEpochs() {
    return numWorkers != 0 && (stream == null || !stream.readOnce());
  }

  private boolean auto() {
    return numWorkers == DataLoader.AUTO;
  }

  /** Returns the number of workers, or the greatest number. */
  private int workers() {
    if (!auto()) {
      return numWorkers;
    }
    int processors = Runtime.getRuntime().availableProcessors();
    return maxWorkers > 0
        ? maxWorkers
        : Math.min(MOST_WORKERS, Math.max(AUTO_WORKERS, 4 * processors));
  }

  private WorldInfo effectiveWorld() {
    return world.worldSize() == 1 ? dealtWorld() : world;
  }

  /** The world that a sampler of the user's deals to. */
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
    if (numWorkers == 0) {
      return 1;
    }
    if (prefetch > 0) {
      return prefetch;
    }
    int samplesPerBatch = batchSampler == null ? batchSize : 1;
    int needed = LoaderOptions.prefetchFor(workers(), samplesPerBatch);
    return auto() ? Math.max(needed, AUTO_PREFETCH) : needed;
  }

  private EpochFactory<T> epochs() {
    boolean dropLast = lastBatch == LastBatch.DROP;
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
      ShardMixing mixing = new ShardMixing(shuffleShards, shuffleBuffer, interleave, seed);
      return new StreamedEpochs<>(stream, batchSize, dropLast, mixing, world, evenly, byShards);
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
    return IndexedEpochs.of(dataset, mine, batchSize, dropLast);
  }

  private Sampler effectiveSampler() {
    if (sampler != null) {
      return sampler;
    }
    if (torchSeed.isPresent()) {
      long torch = torchSeed.getAsLong();
      return world.worldSize() == 1
          ? TorchSampler.of(dataset.size(), torch)
          : TorchSampler.permutation(dataset.size(), torch);
    }
    return Boolean.TRUE.equals(shuffle)
        ? RandomSampler.of(dataset.size(), seed)
        : SequentialSampler.of(dataset.size());
  }

  /**
   * The preparation of a worker thread before it makes its first sample, like PyTorch's {@code
   * worker_init_fn}. Thread-safe: workers call it at once, each for itself.
   */
  @FunctionalInterface
  public interface WorkerInit {
    /**
     * Prepares one worker; called once by each, in its thread.
     *
     * @param worker from 0 to {@code numWorkers - 1}
     * @throws Exception if the worker cannot work; the loader then fails at once, with this as
     *     cause
     */
    void init(int worker) throws Exception;
  }
}
