package io.feedline;

import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.Quarantine;
import io.feedline.internal.ClassNames;
import io.feedline.internal.SourceSpentException;
import io.feedline.internal.TransformText;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.internal.LoaderClock;
import java.lang.ref.Cleaner;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A source of a dataset's batches, epoch after epoch, whose workers prepare the next batches while
 * you use one: PyTorch's {@code DataLoader} with threads.
 *
 * <pre>{@code
 * try (DataLoader<LabeledImage> loader =
 *     DataLoader.builder(dataset).batchSize(32).shuffle(true).build()) {
 *   for (Batch batch : loader) {
 *     try (batch) {
 *       System.out.println(batch.tensor("image") + " " + batch.tensor("label"));
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Each call of {@link #iterator} begins the next epoch, so a shuffled order changes from epoch
 * to epoch; {@link #epoch} returns the epoch with a given number. The batches of an epoch are a
 * function of the dataset, the options and the number of the epoch: the number of workers and their
 * timing change nothing. With {@link #state} and {@link #resume} a loader continues where another
 * loader was.
 *
 * <p>The loader owns its workers, which live until it is closed, and the memory of its batches. It
 * does not own the dataset. One thread at a time iterates; {@link #close} and {@link #stats} may be
 * called by any thread.
 *
 * @param <T> a sample
 */
public final class DataLoader<T> implements Iterable<Batch>, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DataLoader.class);

  private static final Cleaner CLEANER = Cleaner.create();

  private final LoaderOptions<T> options;
  private final EpochFactory<T> epochs;
  private final Engine<T> engine;

  private final @Nullable Replay replay;

  private final Cleaner.Cleanable cleanable;

  private long nextEpoch;

  private BatchIterator iteration;

  /** The place from which the next epoch continues; null: the epoch begins at its start. */
  private @Nullable EpochPlace resumed;

  /** True if an epoch was begun; a dataset that can be read only once allows no second epoch. */
  private boolean begun;

  private volatile boolean closed;

  DataLoader(LoaderOptions<T> options, EpochFactory<T> epochs, LoaderClock clock, Tuner tuner) {
    this(options, epochs, clock, tuner, null);
  }

  private DataLoader(
      LoaderOptions<T> options,
      EpochFactory<T> epochs,
      LoaderClock clock,
      Tuner tuner,
      Replay replay) {
    this.options = options;
    this.epochs = epochs;
    this.replay = replay;
    Engine<T> made = new Engine<>(options, epochs, clock, tuner);
    this.engine = made;
    // The threads of an unreachable loader must end, so the engine has no reference to the loader.
    this.cleanable = CLEANER.register(this, () -> shutDown(made, replay));
  }

  private static void shutDown(Engine<?> engine, Replay replay) {
    engine.shutDown();
    if (replay != null) {
      replay.close();
    }
  }

  /**
   * Returns a builder of loaders for a dataset with random access.
   *
   * @param <T> a sample
   */
  public static <T> DataLoaderBuilder<T> builder(Dataset<T> dataset) {
    return new DataLoaderBuilder<>(Objects.requireNonNull(dataset, "dataset"), null);
  }

  /**
   * Returns a builder of loaders for a dataset that is read from front to back.
   *
   * @param <T> a sample
   */
  public static <T> DataLoaderBuilder<T> builder(IterableDataset<T> dataset) {
    return new DataLoaderBuilder<>(null, Objects.requireNonNull(dataset, "dataset"));
  }

  /**
   * Begins the next epoch: epoch 0 at first, then the successor of the epoch that was begun last.
   * After {@link #resume}, begins the rest of the state's epoch. Ends an unfinished iteration: the
   * next call of the earlier iterator throws.
   *
   * @throws IllegalStateException if the loader is closed, the calling thread is making a sample of
   *     this loader, or its dataset is {@link IterableDataset#readOnce read once} and an epoch has
   *     been begun; the begun epoch then continues
   */
  @Override
  public BatchIterator iterator() {
    return begin(OptionalLong.empty());
  }

  /** Begins the given epoch; if empty, the next epoch. */
  BatchIterator begin(OptionalLong epoch) {
    // Checked before the lock is taken: a consumer that holds it may wait for this thread.
    engine.checkNotProducing();
    synchronized (this) {
      checkReadable();
      settle();
      if (epoch.isPresent()) {
        nextEpoch = epoch.getAsLong();
        resumed = null;
      }
      EpochPlace from = resumed == null ? EpochPlace.START : resumed;
      EpochSource<T> source = resumed == null ? engine.beginPrepared(nextEpoch) : null;
      if (source == null) {
        source = epochs.epoch(nextEpoch, from);
        engine.begin(source);
      }
      resumed = null;
      begun = true;
      iteration = new BatchIterator(this, new EpochCursor<>(engine, source, from));
      return iteration;
    }
  }

  private void checkReadable() {
    if (begun && epochs.readOnce()) {
      throw new SourceSpentException(options.name());
    }
  }

  /**
   * Returns the epoch with a given number, which can be iterated any number of times. After an
   * iteration of epoch {@code n}, {@link #iterator} begins epoch {@code n + 1}.
   *
   * @param number from 0 to 2^62 - 1
   * @throws IllegalArgumentException if the number is out of its range
   */
  public Epoch epoch(long number) {
    if (number < 0 || number > LoaderState.MOST) {
      throw new IllegalArgumentException(
          "epoch must be from 0 to %d, was %d".formatted(LoaderState.MOST, number));
    }
    return new Epoch(this, number);
  }

  /**
   * Returns the loader's epochs one after the other, without an end, for loops that count steps:
   *
   * <pre>{@code
   * Iterator<Batch> batches = loader.cycle().iterator();
   * for (int step = 0; step < 10_000; step++) {
   *   try (Batch batch = batches.next()) {
   *     train(batch);
   *   }
   * }
   * }</pre>
   *
   * <p>An iterator of the result begins as {@link #iterator} does. At the end of an epoch it begins
   * the next epoch. It ends only if a whole epoch has no batch. If the dataset can be read only
   * once, it throws an {@link IllegalStateException} instead of beginning a second epoch. It is for
   * one consumer at a time.
   */
  public Iterable<Batch> cycle() {
    return () -> new EndlessEpochs(this);
  }

  private static final class EndlessEpochs implements Iterator<Batch> {
    private final DataLoader<?> loader;
    private BatchIterator epoch;
    private boolean ended;

    EndlessEpochs(DataLoader<?> loader) {
      this.loader = loader;
      this.epoch = loader.iterator();
    }

    @Override
    public boolean hasNext() {
      if (!ended && !epoch.hasNext()) {
        epoch = loader.iterator();
        ended = !epoch.hasNext();
      }
      return !ended;
    }

    @Override
    public Batch next() {
      if (!hasNext()) {
        throw new NoSuchElementException("the epochs of %s have no batches".formatted(loader));
      }
      return epoch.next();
    }
  }

  private void settle() {
    if (iteration == null) {
      return;
    }
    iteration.replace();
    nextEpoch = iteration.epoch() + 1;
    LoaderState used = iteration.used();
    if (used != null) {
      // Batches that were read ahead, but not used, must not change the next epoch.
      engine.budget().restore(used.values().samples(), used.values().failures());
    }
    iteration = null;
  }

  /**
   * Returns the position of the loader, which is after the batch that was delivered last. A batch
   * for which {@code next()} threw an exception counts as delivered, too: a resumed loader begins
   * with the batch after it. If a {@code DeviceLoader} reads batches ahead, the position is after
   * the last batch that the {@code DeviceLoader} delivered, so both loaders have the same state.
   * Costs little; may be called after any batch, by the thread that iterates.
   */
  public synchronized LoaderState state() {
    if (iteration != null) {
      LoaderState used = iteration.used();
      return used == null ? iteration.state() : used;
    }
    return state(nextEpoch, resumed == null ? EpochPlace.START : resumed);
  }

  LoaderState stateBehind(EpochCursor<?> behind, boolean exhausted) {
    return exhausted
        ? state(behind.epoch() + 1, EpochPlace.START)
        : state(behind.epoch(), behind.place(options.batchSize().orElse(1)));
  }

  private LoaderState state(long epoch, EpochPlace place) {
    return new LoaderState(
        new LoaderState.Values(
            epochs.datasetId(),
            epochs.orderId(epoch),
            options.seed(),
            epoch,
            place.position(),
            place.ahead(),
            options.batchSize().orElse(0),
            epochs.worldSize(),
            place.offset(),
            engine.budget().samplesSeen(),
            engine.budget().failuresTolerated(),
            place.mark(),
            transforms()));
  }

  private List<String> transforms() {
    List<String> ofSamples = epochs.transforms();
    return options.batchTransform().isPresent()
        ? TransformText.with(ofSamples, options.batchTransform().get())
        : ofSamples;
  }

  /**
   * Continues from the state of another loader: the next {@link #iterator} delivers the rest of the
   * other loader's epoch, in the same batches. The number of workers, prefetching and the order of
   * delivery may differ. If the batch size or the number of ranks differs, the same samples follow
   * in batches of the new size, shared by the new ranks. The number of ranks must stay the same if
   * each rank has an order of its own ({@code ShardedSampler.deal}) or shards of its own (a stream
   * whose shards are dealt).
   *
   * <p>The transforms may differ; a warning then names the first transform that differs. {@link
   * #resumeSame} refuses other transforms. Transforms count as equal if their {@code toString} is
   * equal. Lambdas count as equal if they are written in the same class.
   *
   * @throws IllegalArgumentException if the state is of another dataset, order or seed, or its
   *     position cannot be reached with this batch size or number of ranks; the message says which
   * @throws IllegalStateException if the calling thread is making a sample of this loader
   */
  public void resume(LoaderState state) {
    engine.checkNotProducing();
    goTo(state);
    String other = otherTransforms(state);
    if (!other.isEmpty()) {
      LOG.warn("{} is resumed with other transforms: {}", options.name(), other);
    }
  }

  /**
   * Continues from the state of another loader, as {@link #resume} does, but only if the transforms
   * are the same.
   *
   * @throws IllegalArgumentException as {@link #resume} does, and if the transforms differ; the
   *     message names the first transform that differs
   */
  public void resumeSame(LoaderState state) {
    String other = otherTransforms(state);
    if (!other.isEmpty()) {
      throw new IllegalArgumentException(
          "this state cannot be resumed here: it was taken with other transforms: " + other);
    }
    resume(state);
  }

  private String otherTransforms(LoaderState state) {
    List<String> now = transforms();
    List<String> then = state.values().transforms();
    int same = 0;
    while (same < Math.min(now.size(), then.size()) && now.get(same).equals(then.get(same))) {
      same++;
    }
    return now.equals(then)
        ? ""
        : "number %d was %s and is %s"
            .formatted(
                same + 1,
                same < then.size() ? then.get(same) : "absent",
                same < now.size() ? now.get(same) : "absent");
  }

  private synchronized void goTo(LoaderState state) {
    LoaderState.Values values = state.values();
    EpochPlace checked = EpochPlace.of(values, options, epochs);
    settle();
    engine.dropAll();
    engine.budget().restore(values.samples(), values.failures());
    resumed = checked;
    nextEpoch = state.epoch();
  }

  /** Returns the number of batches of the next epoch; empty if unknown, as for most streams. */
  public synchronized OptionalLong size() {
    return epochs.batches(comingEpoch());
  }

  private long comingEpoch() {
    return iteration == null ? nextEpoch : iteration.epoch() + 1;
  }

  /**
   * Returns a loader that repeats a few of this loader's batches, to measure how fast a training
   * would be if data cost nothing:
   *
   * <pre>{@code
   * try (DataLoader<LabeledImage> free = loader.replay()) {
   *   train(free); // as fast as train(loader) could be
   * }
   * }</pre>
   *
   * <p>The result keeps {@code prefetch + maxOpenBatches} batches, for which this loader has
   * memory. It keeps fewer if {@code prefetchBytes} does not suffice or the epoch is shorter, but
   * always one. {@link #replay(int)} describes the repeated batches.
   *
   * @return a loader that the caller closes
   * @throws LoaderException if a batch cannot be loaded
   * @throws IllegalStateException if the next epoch has no batches, this loader is closed or itself
   *     replays, the calling thread is making a sample of this loader, or its dataset is {@link
   *     IterableDataset#readOnce read once} and an epoch has been begun
   */
  public DataLoader<T> replay() {
    int prefetch = engine.stats().tuning().prefetch();
    return replay(
        prefetch + options.maxOpenBatches(), options.prefetchBytes().orElse(Long.MAX_VALUE));
  }

  /**
   * Returns a loader that repeats a few of this loader's batches, without loading, copying or
   * waiting. Waits until these batches are loaded. They are the first batches of this loader's next
   * epoch, which still delivers them, too.
   *
   * <p>An epoch of the replay has as many batches as an epoch of this loader in which no sample
   * fails, with the same entries and numbers of rows. A short batch has the first rows of a kept
   * batch. If {@link #size} is unknown, an epoch of the replay has no end. {@link Batch#indices}
   * returns the indices of the samples in the kept batch. {@link #state} and {@link #resume} work
   * as in this loader. {@link #stats} counts the replayed batches, without the memory of the kept
   * batches.
   *
   * <p>A kept batch is delivered again only after it was closed. So two open batches never share
   * memory, and no more batches can be open than are kept. Changes to a batch stay in the kept
   * batch. Either loader may be closed first. Loading the kept batches uses up a dataset that is
   * {@link IterableDataset#readOnce read once}.
   *
   * @param batches the number of batches to keep, from 1 to 65 536, whatever {@code prefetchBytes}
   *     is; fewer are kept if the epoch has fewer
   * @return a loader that the caller closes
   * @throws IllegalArgumentException if the number is out of its range
   * @throws LoaderException if a batch cannot be loaded
   * @throws IllegalStateException as {@link #replay()} does
   */
  public DataLoader<T> replay(int batches) {
    if (batches < 1 || batches > DataLoaderBuilder.MOST_BATCHES) {
      throw new IllegalArgumentException(
          "batches must be 1 or more, and %d at most, was %d"
              .formatted(DataLoaderBuilder.MOST_BATCHES, batches));
    }
    return replay(batches, Long.MAX_VALUE);
  }

  private DataLoader<T> replay(int batches, long bytes) {
    engine.checkNotProducing();
    if (closed) {
      throw new IllegalStateException(
          "the loader '%s' is closed; replay it before it is closed".formatted(options.name()));
    }
    if (replay != null) {
      throw new IllegalStateException(
          "the loader '%s' replays already; replay the loader that it was made of"
              .formatted(options.name()));
    }
    Replay loaded = Replay.load(options, epochs, useEpoch(), batches, bytes);
    return new DataLoader<>(
        options.toReplay(loaded.size()), epochs.unread(), new LoaderClock(), null, loaded);
  }

  private synchronized long useEpoch() {
    checkReadable();
    begun |= epochs.readOnce();
    return comingEpoch();
  }

  Batch toDeliver(Batch batch) {
    return replay == null ? batch : replay.dress(batch);
  }

  /** Returns the figures of the loader's work so far. */
  public LoaderStats stats() {
    return engine.stats();
  }

  /**
   * Returns how well the loader has met a training's demand so far, and what to change if it did
   * not. May be called at any time, by any thread.
   *
   * @throws IllegalArgumentException if the loader's batches have another size than the level's
   */
  public ServiceLevel.Report serviceLevel(ServiceLevel level) {
    checkSize(level);
    return record(level).serviceLevel().orElseThrow();
  }

  private void checkSize(ServiceLevel level) {
    Objects.requireNonNull(level, "level");
    if (options.batchSize().isPresent() && options.batchSize().getAsInt() != level.batchSize()) {
      throw new IllegalArgumentException(
          "the service level is of batches of %d; the loader '%s' has batchSize(%d)"
              .formatted(level.batchSize(), options.name(), options.batchSize().getAsInt()));
    }
  }

  /**
   * Returns the record of the loader's run so far. Its service level is the pace of the consumer:
   * 99% of the batches within the consumer's mean time for a batch.
   */
  public RunRecord runRecord() {
    return record(null);
  }

  /**
   * Returns the record of the loader's run so far.
   *
   * @param level the size of batches and the time of a step in the training
   * @throws IllegalArgumentException if the loader's batches have another size than the level's
   */
  public RunRecord runRecord(ServiceLevel level) {
    checkSize(level);
    return record(level);
  }

  private RunRecord record(@Nullable ServiceLevel level) {
    return engine.record(optionsAsJson(), level);
  }

  private Map<String, Object> optionsAsJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("batch_size", options.batchSize().isPresent() ? options.batchSize().getAsInt() : null);
    json.put("last_batch", options.dropLast() ? "DROP" : options.padLast() ? "PAD" : "PARTIAL");
    json.put("workers", options.numWorkers());
    json.put("prefetch", options.prefetch());
    json.put(
        "prefetch_bytes",
        options.prefetchBytes().isPresent() ? options.prefetchBytes().getAsLong() : null);
    json.put("max_open_batches", options.maxOpenBatches());
    json.put("slots", options.slots());
    json.put("prefetch_next_epoch", options.prefetchNextEpoch());
    json.put("reorder_window", options.reorderWindow());
    json.put("error_policy", options.errorPolicy().toString());
    json.put("allocator", ClassNames.of(options.allocator()));
    json.put("collator", ClassNames.of(options.collator()));
    json.put("batch_transform", options.batchTransform().map(ClassNames::of).orElse(null));
    json.put("seed", options.seed());
    json.put("rank", options.world().rank());
    json.put("world_size", options.world().worldSize());
    return json;
  }

  /** Returns the samples that failed and were tolerated so far, as a snapshot for any thread. */
  public Quarantine quarantine() {
    return engine.budget().quarantine();
  }

  Engine<T> engine() {
    return engine;
  }

  /** Returns the options that the loader was built with, defaults filled in. */
  public LoaderOptions<T> options() {
    return options;
  }

  /**
   * Ends the workers and frees the memory. Waits five seconds at most for samples that are being
   * made: after half of that time it interrupts all workers at once, and at the end it logs a
   * warning for each worker that is still busy. Batches that are open stay valid until they are
   * closed. May be called twice; iterating afterwards throws {@link IllegalStateException}.
   */
  @Override
  public void close() {
    closed = true;
    engine.close();
    cleanable.clean();
  }

  /**
   * Returns the name and the main options, for example {@code DataLoader(train, batchSize=128,
   * numWorkers=8)}.
   */
  @Override
  public String toString() {
    return "DataLoader(%s, batchSize=%s, numWorkers=%s)"
        .formatted(
            options.name(),
            options.batchSize().isPresent() ? options.batchSize().getAsInt() : "by batch sampler",
            options.autoWorkers() ? "auto" : options.numWorkers());
  }

  /**
   * A given epoch of a {@link DataLoader}, which can be iterated any number of times. Immutable.
   */
  public static final class Epoch implements Iterable<Batch> {

    private final DataLoader<?> loader;
    private final long number;

    Epoch(DataLoader<?> loader, long number) {
      this.loader = loader;
      this.number = number;
    }

    /** Returns the epoch's number, counted from 0. */
    public long number() {
      return number;
    }

    /**
     * Begins the epoch, and ends an unfinished iteration of the loader.
     *
     * @throws IllegalStateException as {@link DataLoader#iterator} does, for instance if the loader
     *     is closed
     */
    @Override
    public BatchIterator iterator() {
      return loader.begin(OptionalLong.of(number));
    }

    /**
     * Returns the number and the loader, for example {@code epoch 3 of DataLoader(train,
     * batchSize=128, numWorkers=8)}.
     */
    @Override
    public String toString() {
      return "epoch %d of %s".formatted(number, loader);
    }
  }
}
