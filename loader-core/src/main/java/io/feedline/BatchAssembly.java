package io.feedline;

import io.feedline.batch.BatchTransform;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.ListCollator;
import io.feedline.batch.ListCollator.SampleCollationException;
import io.feedline.batch.RowCollator;
import io.feedline.batch.RowCollator.Row;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.data.SampleContext;
import io.feedline.internal.SourceSpentException;
import io.feedline.stats.internal.BatchTimes;
import io.feedline.transform.SampleRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a batch and what becomes of them: samples put into them, samples that failed, and in
 * the end the entries of a batch or a failure.
 *
 * <h2>Implementation note</h2>
 *
 * <p>Nothing that is delivered depends on which worker was faster. A batch's layout is that of its
 * lowest row: a worker with another row may have to plan first, but rows that do not fit that plan
 * are set aside, and judged against the lowest row when all are there. Of several failures the
 * lowest row's is delivered, with the others as suppressed ones. The error policy acts at the end,
 * row by row.
 *
 * <p>{@link #plan}, {@link #keep} and {@link #fail} are called by many workers, for different rows;
 * {@link #finish} by one, after all of them; the rest after that.
 *
 * @param <T> a sample
 */
final class BatchAssembly<T> {

  private static final String SKIPPABLE =
      "; to continue without such samples, set errorPolicy(ErrorPolicy.skip())";

  private final EpochSource<T> source;
  private final BatchRows<T> batchRows;
  private final LoaderOptions<T> options;
  private final Slot slot;
  private final long number;
  private final long[] indices;
  private final BatchTimes times;

  /** The samples by row, for a list collator; null otherwise. */
  private final Object @Nullable [] samples;

  /** The plan of the first row that was there, in most cases everybody's. */
  private volatile RowCollator.Plan<T> plan;

  /** A sample that does not fit the plan. */
  private record Misfit<T>(T sample, RowCollator.Layout layout) {}

  private SortedMap<Integer, Misfit<T>> misfits = Collections.emptySortedMap();
  private SortedMap<Integer, LoaderException> failures = Collections.emptySortedMap();

  /** The reason why there is no memory for the batch's rows; null while memory suffices. */
  private volatile @Nullable Error noMemory;

  /** A failure that there was no memory, or no stack, to put on record. */
  private Throwable unrecorded;

  private LoaderException failure;
  private List<LoaderException> tolerated = List.of();

  /** The entries of the batch, when it is complete: each a tensor in the slot or a list. */
  private Map<String, Object> entries;

  private int rows;
  private int valid;

  BatchAssembly(
      EpochSource<T> source,
      BatchRows<T> batchRows,
      LoaderOptions<T> options,
      Slot slot,
      long[] indices,
      BatchTimes times) {
    this.source = source;
    this.batchRows = batchRows;
    this.options = options;
    this.slot = slot;
    this.number = batchRows.number();
    this.indices = indices;
    this.times = times;
    this.samples = options.collator() instanceof ListCollator ? new Object[indices.length] : null;
  }

  // ---- by many workers ----------------------------------------------------------------------

  /** Returns whether samples write themselves into rows; they are kept by {@link #keep} if not. */
  boolean byRows() {
    return samples == null;
  }

  /** Keeps a sample for the collator of lists. */
  void keep(int row, T sample) {
    samples[row] = sample;
  }

  /**
   * Returns the plan by which a sample is written into its row.
   *
   * @return null where it does not fit the batch's, and has been set aside
   */
  RowCollator.@Nullable Plan<T> plan(int row, T sample) throws Exception {
    RowCollator.Plan<T> fitting = plan;
    if (fitting == null) {
      fitting = planFor(sample);
    }
    return fitting.accepts(sample) ? fitting : planLike(fitting, row, sample);
  }

  /** Plans again for a sample of another class, which may have the same entries. */
  private RowCollator.Plan<T> planLike(RowCollator.Plan<T> fitting, int row, T sample)
      throws Exception {
    RowCollator.Plan<T> own = rowCollator().plan(sample);
    if (own.layout().equals(fitting.layout())) {
      return own;
    }
    setAside(row, new Misfit<>(sample, own.layout()));
    return null;
  }

  @SuppressWarnings("unchecked")
  private RowCollator<T> rowCollator() {
    return (RowCollator<T>) options.collator();
  }

  /** Returns the place of a row, for a plan to write to. */
  Row row(int row) {
    return slot.row(row);
  }

  private synchronized RowCollator.Plan<T> planFor(T sample) throws Exception {
    if (plan == null) {
      RowCollator.Plan<T> made = rowCollator().plan(sample);
      arrange(made.layout());
      plan = made;
    }
    return plan;
  }

  private void arrange(RowCollator.Layout layout) {
    Error earlier = noMemory;
    if (earlier != null) {
      throw earlier;
    }
    try {
      slot.arrange(layout, indices.length);
    } catch (Error e) {
      // Each row would wait for memory once more, one after the other.
      noMemory = e;
      throw e;
    }
  }

  /** Returns whether the batch will fail whatever its rows are, since there is no memory for it. */
  boolean isDoomed() {
    return noMemory != null;
  }

  private synchronized void setAside(int row, Misfit<T> misfit) {
    if (misfits.isEmpty()) {
      misfits = new TreeMap<>();
    }
    misfits.put(row, misfit);
  }

  /** Records that a row's sample could not be made or written. Never throws. */
  synchronized void fail(int row, LoaderException.Stage stage, long index, Throwable cause) {
    Throwable earlier = unrecorded;
    unrecorded = earlier == null ? cause : earlier;
    try {
      if (failures.isEmpty()) {
        failures = new TreeMap<>();
      }
      failures.put(row, exception(row, stage, index, cause));
      unrecorded = earlier;
    } catch (Throwable outOfMemoryOrStack) {
      // The cause stays unrecorded, which fails the batch.
    }
  }

  private LoaderException exception(
      int row, LoaderException.Stage stage, long index, Throwable cause) {
    String description = null;
    try {
      description = index < 0 ? "row of batch " + number : batchRows.describe(row, index);
    } catch (Throwable e) {
      if (e != cause) {
        cause.addSuppressed(e);
      }
    }
    if (description == null) {
      description = "index " + index;
    }
    boolean skippable =
        index >= 0
            && cause instanceof IOException
            && options.errorPolicy().action() == ErrorPolicy.Action.FAIL;
    return LoaderException.ofSample(
        stage, source.datasetName(), index, description, cause, skippable ? SKIPPABLE : "");
  }

  // ---- by the one who finished the last row ---------------------------------------------------

  /** Makes a batch of the first {@code claimed} rows, or a failure. */
  void finish(int claimed) {
    valid = claimed;
    times.beginCollating();
    LoaderException.Stage stage = LoaderException.Stage.COLLATE;
    try {
      if (noMemory != null) {
        throw noMemory;
      }
      if (unrecorded != null) {
        throw unrecorded;
      }
      judgeMisfits();
      if (!failures.isEmpty()) {
        applyErrorPolicy();
      }
      if (failure == null && valid > 0) {
        pad();
        entries = collated();
        if (entries != null && options.batchTransform().isPresent()) {
          stage = LoaderException.Stage.TRANSFORM;
          times.beginTransforming();
          entries = transformed(options.batchTransform().get());
        }
      }
    } catch (Throwable cause) {
      if (cause instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      failure =
          LoaderException.of(
              stage,
              source.datasetName(),
              "batch %d of epoch %d with the indices %s%s"
                  .formatted(
                      number,
                      source.epoch(),
                      briefly(Arrays.copyOf(indices, claimed)),
                      noMemory == null ? "" : " gets no memory for its rows"),
              cause);
    } finally {
      times.assembled();
      misfits = Collections.emptySortedMap();
      if (samples != null) {
        Arrays.fill(samples, null);
      }
    }
  }

  /** The entries of the batch; null where no sample is left, or the batch has failed. */
  private @Nullable Map<String, Object> collated() throws Exception {
    return options.collator() instanceof ListCollator<T> collator
        ? collatedBy(collator)
        : slot.entries(rows, options.batched());
  }

  private Map<String, Object> collatedBy(ListCollator<T> collator) throws Exception {
    // Substitutes may be broken, too.
    int most = indices.length * Math.max(1, options.errorPolicy().attempts());
    for (int broken = 0; failure == null && valid > 0; broken++) {
      try {
        Slot.Assembler assembler = slot.assembler();
        collator.collate(sampleList(), assembler);
        return assembler.entries();
      } catch (SampleCollationException told) {
        leaveOut(told, broken < most);
      }
    }
    return null;
  }

  /**
   * Does with a sample that a collator of lists cannot write what the error policy says.
   *
   * @param tolerable whether not too many were broken before it
   */
  private void leaveOut(SampleCollationException told, boolean tolerable) {
    // Behind the valid rows lie copies of them.
    int row = Objects.checkIndex(told.row(), rows) % valid;
    failures = new TreeMap<>();
    fail(row, LoaderException.Stage.WRITE, indices[row], told.getCause());
    if (tolerable) {
      applyErrorPolicy();
      if (failure == null && valid > 0) {
        pad();
      }
    } else {
      failure = firstOf(failures.values());
    }
  }

  private Map<String, Object> transformed(BatchTransform transform) throws Exception {
    long global = number * options.world().worldSize() + options.world().rank();
    try (BatchDraft draft = new BatchDraft(slot, entries, rows, valid, source.epoch(), number)) {
      transform.apply(draft, SampleRandom.ofBatch(options.seed(), source.epoch(), global));
      return draft.entries();
    }
  }

  /** Settles which layout the batch has, and fails the rows that have another. */
  private void judgeMisfits() throws Exception {
    if (misfits.isEmpty()) {
      return;
    }
    RowCollator.Layout planned = plan.layout();
    int lowest = lowestRow();
    while (misfits.containsKey(lowest) && !arrangeFor(lowest)) {
      lowest = lowestRow();
    }
    for (int row = lowest + 1; row < valid; row++) {
      Misfit<T> misfit = misfits.get(row);
      RowCollator.Layout found = misfit == null ? planned : misfit.layout();
      if (!failures.containsKey(row) && !found.equals(plan.layout())) {
        String lowestRow = "row %d of the batch (index %d)".formatted(lowest, indices[lowest]);
        fail(
            row,
            LoaderException.Stage.COLLATE,
            indices[row],
            new IllegalArgumentException(
                LayoutDifference.between(plan.layout(), found, lowestRow)));
      }
    }
  }

  private int lowestRow() {
    int row = 0;
    while (failures.containsKey(row)) {
      row++;
    }
    return row;
  }

  /**
   * The plan was made for a row that is not the rule: arranges the slot for a lower one that was
   * set aside, and writes those like it. False if that one cannot be written.
   */
  private boolean arrangeFor(int lowest) throws Exception {
    // Apart at first: if it fails, the rows that fit the old plan are still needed.
    Slot apart = new Slot(HostAllocator.direct());
    RowCollator.Layout layout = misfits.get(lowest).layout();
    apart.arrange(layout, 1);
    if (!written(lowest, apart.row(0))) {
      return false;
    }
    slot.arrange(layout, indices.length);
    slot.copyRow(apart, 0, lowest);
    misfits.forEach(
        (row, misfit) -> {
          if (row > lowest && misfit.layout().equals(layout)) {
            written(row, slot.row(row));
          }
        });
    return true;
  }

  private boolean written(int row, Row target) {
    T sample = misfits.get(row).sample();
    LoaderException.Stage stage = LoaderException.Stage.COLLATE;
    try {
      RowCollator.Plan<T> own = rowCollator().plan(sample);
      stage = LoaderException.Stage.WRITE;
      own.write(sample, target);
      plan = own;
      return true;
    } catch (Throwable cause) {
      if (cause instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      fail(row, stage, indices[row], cause);
      return false;
    }
  }

  private void applyErrorPolicy() {
    ErrorPolicy policy = options.errorPolicy();
    if (policy.action() == ErrorPolicy.Action.FAIL) {
      failure = firstOf(failures.values());
      return;
    }
    List<LoaderException> errors =
        failures.values().stream().filter(BatchAssembly::isFatal).toList();
    if (!errors.isEmpty()) {
      List<LoaderException> errorsFirst = new ArrayList<>(errors);
      failures.values().stream().filter(e -> !isFatal(e)).forEach(errorsFirst::add);
      failure = firstOf(errorsFirst);
      return;
    }
    List<LoaderException> all = new ArrayList<>(tolerated);
    all.addAll(failures.values());
    tolerated = List.copyOf(all);
    if (policy.action() == ErrorPolicy.Action.SKIP) {
      closeGaps();
    } else {
      List<LoaderException> doomed = new ArrayList<>();
      failures.forEach(
          (row, exception) -> {
            if (!substitute(row, exception)) {
              doomed.add(exception);
            }
          });
      if (!doomed.isEmpty()) {
        failure = firstOf(doomed);
      }
    }
  }

  /**
   * After an OutOfMemoryError or the like the loader cannot continue, nor after a source without
   * samples.
   */
  private static boolean isFatal(LoaderException exception) {
    Throwable cause = exception.getCause();
    return cause instanceof Error || cause instanceof SourceSpentException;
  }

  private static LoaderException firstOf(Collection<LoaderException> exceptions) {
    LoaderException first = exceptions.iterator().next();
    MoreFailures.suppress(first, exceptions.stream().skip(1).toList());
    return first;
  }

  private void closeGaps() {
    int target = 0;
    for (int row = 0; row < valid; row++) {
      if (!failures.containsKey(row)) {
        move(row, target++);
      }
    }
    valid = target;
  }

  private void move(int from, int to) {
    if (from != to) {
      indices[to] = indices[from];
      if (samples == null) {
        slot.copyRow(from, to);
      } else {
        samples[to] = samples[from];
      }
    }
  }

  private boolean substitute(int row, LoaderException exception) {
    ErrorPolicy policy = options.errorPolicy();
    Dataset<T> dataset = source.dataset().orElseThrow();
    long failed = indices[row];
    if (!misfits.isEmpty()) {
      misfits.remove(row);
    }
    List<Throwable> attempts = new ArrayList<>();
    for (int attempt = 0; attempt < policy.attempts(); attempt++) {
      long index =
          policy.substituteFor(options.seed(), source.epoch(), failed, attempt, dataset.size());
      indices[row] = index;
      try {
        SampleContext context = new SampleContext(options.seed(), source.epoch(), index);
        T sample = dataset.get(index, context);
        put(row, Objects.requireNonNull(sample, "the sample is null"));
        Misfit<T> misfit = misfits.isEmpty() ? null : misfits.remove(row);
        if (misfit == null) {
          MoreFailures.suppress(exception, attempts);
          return true;
        }
        attempts.add(
            new IllegalArgumentException(
                "sample %d in its place: %s"
                    .formatted(
                        index,
                        LayoutDifference.between(plan.layout(), misfit.layout(), "the batch"))));
      } catch (Exception e) {
        attempts.add(e);
      }
    }
    MoreFailures.suppress(exception, attempts);
    return false;
  }

  private void put(int row, T sample) throws Exception {
    if (byRows()) {
      RowCollator.Plan<T> fitting = plan(row, sample);
      if (fitting != null) {
        fitting.write(sample, row(row));
      }
    } else {
      keep(row, sample);
    }
  }

  /** Fills a batch that is short with its own samples, from the first on. */
  private void pad() {
    rows = options.lastBatch() == LastBatch.PAD ? indices.length : valid;
    for (int row = valid; row < rows; row++) {
      move(row % valid, row);
    }
  }

  @SuppressWarnings("unchecked")
  private List<T> sampleList() {
    return (List<T>)
        Collections.unmodifiableList(new ArrayList<>(Arrays.asList(samples).subList(0, rows)));
  }

  private static String briefly(long[] indices) {
    String all = Arrays.toString(indices);
    return all.length() <= 200 ? all : all.substring(0, 200) + "...";
  }

  // ---- afterwards -----------------------------------------------------------------------------

  /** Returns the entries of the batch: tensors and lists by name; or the failure, thrown. */
  Map<String, Object> entries() {
    if (failure != null) {
      throw failure;
    }
    if (entries == null) {
      throw new IllegalStateException(
          "batch %d of epoch %d could not be assembled".formatted(number, source.epoch()));
    }
    return entries;
  }

  /**
   * Returns whether the batch has nothing to deliver: all was skipped, or a stream ended before.
   */
  boolean empty() {
    return failure == null && valid == 0;
  }

  LoaderException failure() {
    return failure;
  }

  /** Lets the batch fail after all. */
  void fail(LoaderException exception) {
    failure = exception;
  }

  /** Returns the failures that were skipped or substituted. */
  List<LoaderException> tolerated() {
    return tolerated;
  }

  /** Returns the rows of the batch. */
  int rows() {
    return rows;
  }

  /** Returns the rows of the batch without those that pad it. */
  int valid() {
    return valid;
  }
}
