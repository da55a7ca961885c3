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
import io.feedline.data.StoreException;
import io.feedline.internal.Counts;
import io.feedline.internal.Majority;
import io.feedline.internal.SourceSpentException;
import io.feedline.stats.internal.BatchTimes;
import io.feedline.transform.SampleRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a batch, with their samples or failures. When all rows are finished, it makes the
 * entries of the batch, or the failure of the batch.
 *
 * <h2>Implementation note</h2>
 *
 * <p>The speed of workers changes nothing that is delivered. A batch gets the layout that most of
 * its rows have. If two layouts have equally many rows, the layout that has the lowest row is
 * chosen. The first plan, the way to write samples of one layout, is made for the row that is
 * finished first. Rows that do not fit this plan are set aside, and counted when the batch is
 * complete. If several rows fail, the failure of the lowest row is delivered, with the other
 * failures as suppressed exceptions. The error policy is applied at the end, row by row.
 *
 * <p>Many workers call {@link #plan}, {@link #keep} and {@link #fail}, each for rows of its own.
 * After all these calls one worker calls {@link #finish}. The engine reads the results after that
 * call.
 */
final class BatchAssembly<T> {

  private static final int MOST_SUPPRESSED = 3;
  private static final String SKIPPABLE =
      "; to continue without such samples, set errorPolicy(ErrorPolicy.skip())";

  private final EpochSource<T> source;
  private final BatchRows<T> batchRows;
  private final LoaderOptions<T> options;
  private final Slot slot;
  private final long number;
  private final BatchTimes times;

  private long[] indices = {};

  /** The samples by row, for a list collator; null for other collators. */
  private Object @Nullable [] samples;

  /** The plan for writing rows, made for the first finished row; it nearly always fits all rows. */
  private volatile RowCollator.Plan<T> plan;

  private record OtherLayout<T>(T sample, RowCollator.Layout layout) {}

  private SortedMap<Integer, OtherLayout<T>> otherLayouts = Collections.emptySortedMap();
  private SortedMap<Integer, LoaderException> failures = Collections.emptySortedMap();

  private volatile @Nullable Error noMemory;

  /** A failure that could not be recorded, for lack of memory or of stack. */
  private Throwable unrecorded;

  private LoaderException failure;
  private List<LoaderException> tolerated = List.of();

  private Map<String, Object> entries;

  private int @Nullable [] attempted;

  private int rows;
  private int valid;

  BatchAssembly(
      EpochSource<T> source,
      BatchRows<T> batchRows,
      LoaderOptions<T> options,
      Slot slot,
      BatchTimes times) {
    this.source = source;
    this.batchRows = batchRows;
    this.options = options;
    this.slot = slot;
    this.number = batchRows.number();
    this.times = times;
  }

  void reserve(long[] indicesByRow) {
    indices = indicesByRow;
    samples = options.collator() instanceof ListCollator ? new Object[indices.length] : null;
  }

  // ---- by many workers ----------------------------------------------------------------------

  boolean byRows() {
    return samples == null;
  }

  void keep(int row, T sample) {
    samples[row] = sample;
  }

  /** Returns the plan that writes a sample; null if the sample was set aside (another layout). */
  RowCollator.@Nullable Plan<T> plan(int row, T sample) throws Exception {
    RowCollator.Plan<T> fitting = plan;
    if (fitting == null) {
      fitting = planFor(sample);
    }
    return fitting.accepts(sample) ? fitting : planLike(fitting, row, sample);
  }

  /**
   * Returns a plan for a sample that the batch's plan does not accept, such as a sample of another
   * class with the same layout. If the layout differs, sets the sample aside and returns null.
   */
  private RowCollator.Plan<T> planLike(RowCollator.Plan<T> fitting, int row, T sample)
      throws Exception {
    RowCollator.Plan<T> own = rowCollator().plan(sample);
    if (own.layout().equals(fitting.layout())) {
      return own;
    }
    setAside(row, new OtherLayout<>(sample, own.layout()));
    return null;
  }

  @SuppressWarnings("unchecked")
  private RowCollator<T> rowCollator() {
    return (RowCollator<T>) options.collator();
  }

  Row row(int row) {
    return slot.row(row);
  }

  private synchronized RowCollator.Plan<T> planFor(T sample) throws Exception {
    if (plan == null) {
      RowCollator.Plan<T> made =
          Objects.requireNonNull(rowCollator().plan(sample), "the collator's plan is null");
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
      // The error is kept, since each later row would otherwise try to allocate the memory again.
      noMemory = e;
      throw e;
    }
  }

  boolean isDoomed() {
    return noMemory != null;
  }

  private synchronized void setAside(int row, OtherLayout<T> other) {
    if (otherLayouts.isEmpty()) {
      otherLayouts = new TreeMap<>();
    }
    otherLayouts.put(row, other);
  }

  /** Records the failure of a row. Never throws. */
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
      // The field 'unrecorded' keeps the cause, so the batch fails.
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
    return LoaderException.ofSample(
        stage, source.datasetName(), index, description, cause, advice(row, index, cause));
  }

  private String advice(int row, long index, Throwable cause) {
    ErrorPolicy.Action action = options.errorPolicy().action();
    if (StoreException.isBehind(cause)) {
      return action == ErrorPolicy.Action.FAIL
          ? ""
          : "; the store failed and not the sample, so the error policy (%s) does not apply"
              .formatted(action);
    }
    boolean skippable =
        index >= 0
            && cause instanceof IOException
            && batchRows.isSample(row)
            && action == ErrorPolicy.Action.FAIL;
    return skippable ? SKIPPABLE : "";
  }

  // ---- by the worker that finished the last row -----------------------------------------------

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
      chooseLayout();
      if (unrecorded != null) {
        throw unrecorded;
      }
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
      otherLayouts = Collections.emptySortedMap();
      if (samples != null) {
        Arrays.fill(samples, null);
      }
    }
  }

  private @Nullable Map<String, Object> collated() throws Exception {
    return options.collator() instanceof ListCollator<T> collator
        ? collatedBy(collator)
        : slot.entries(rows, options.batched());
  }

  private Map<String, Object> collatedBy(ListCollator<T> collator) throws Exception {
    // The loop ends, since each round leaves out a row or uses up an attempt.
    while (failure == null && valid > 0) {
      try {
        Slot.Assembler assembler = slot.assembler();
        collator.collate(sampleList(), assembler);
        return assembler.entries();
      } catch (SampleCollationException reported) {
        leaveOut(reported);
      }
    }
    return null;
  }

  /** Applies the error policy to a sample that a list collator refuses. */
  private void leaveOut(SampleCollationException reported) {
    // The rows after the valid rows are copies of the valid rows.
    int row = Objects.checkIndex(reported.row(), rows) % valid;
    failures = new TreeMap<>();
    fail(row, LoaderException.Stage.WRITE, indices[row], reported.getCause());
    applyErrorPolicy();
    if (failure == null && valid > 0) {
      pad();
    }
  }

  private Map<String, Object> transformed(BatchTransform transform) throws Exception {
    try (HostMutableBatch batch =
        new HostMutableBatch(
            slot,
            new LinkedHashMap<>(entries),
            rows,
            valid,
            source.epoch(),
            number,
            new AtomicBoolean())) {
      transform.apply(batch, SampleRandom.ofBatch(options.seed(), source.epoch(), global()));
      return batch.entries();
    }
  }

  /** Returns a number that identifies the batch among the batches of all ranks in this epoch. */
  private long global() {
    return number * options.world().worldSize() + options.world().rank();
  }

  private void chooseLayout() {
    if (otherLayouts.isEmpty()) {
      return;
    }
    Map<RowCollator.Layout, Written<T>> apart = new HashMap<>();
    Group most = largestGroup();
    while (most != null
        && otherLayouts.containsKey(most.first())
        && !apart.containsKey(most.layout())) {
      apart.put(most.layout(), writeApart(most));
      most = largestGroup();
    }
    if (most == null) {
      return;
    }
    failAllBut(most);
    Written<T> chosen = apart.get(most.layout());
    if (chosen != null) {
      slot.arrange(most.layout(), indices.length);
      for (int row : most.rows()) {
        slot.copyRow(chosen.slot(), chosen.rows().indexOf(row), row);
      }
      plan = chosen.plan();
    }
  }

  /**
   * Fails the rows whose layout differs from the layout of most rows. This failure replaces the
   * failure to write such a row, since only the order of the workers decides whether the row is
   * written at all.
   */
  private void failAllBut(Group most) {
    String whose = "row %d of the batch (index %d)".formatted(most.first(), indices[most.first()]);
    for (int row = 0; row < valid; row++) {
      LoaderException earlier = failures.get(row);
      boolean planned =
          earlier == null
              || (earlier.stage() == LoaderException.Stage.WRITE && !isFatal(row, earlier));
      if (planned && !layoutOf(row).equals(most.layout())) {
        String difference = LayoutDifference.between(most.layout(), layoutOf(row), whose);
        fail(
            row,
            LoaderException.Stage.COLLATE,
            indices[row],
            new IllegalArgumentException(difference));
      }
    }
  }

  private record Group(RowCollator.Layout layout, List<Integer> rows) {
    int first() {
      return rows.get(0);
    }
  }

  /** Rows of one layout, written into a slot of their own, since the first plan rejects them. */
  private record Written<T>(Slot slot, List<Integer> rows, RowCollator.@Nullable Plan<T> plan) {}

  private @Nullable Group largestGroup() {
    List<RowCollator.@Nullable Layout> layouts = new ArrayList<>();
    for (int row = 0; row < valid; row++) {
      layouts.add(failures.containsKey(row) ? null : layoutOf(row));
    }
    int first = Majority.first(layouts);
    if (first < 0) {
      return null;
    }
    RowCollator.Layout most = layouts.get(first);
    List<Integer> rows = new ArrayList<>();
    for (int row = first; row < valid; row++) {
      if (most.equals(layouts.get(row))) {
        rows.add(row);
      }
    }
    return new Group(most, rows);
  }

  private RowCollator.Layout layoutOf(int row) {
    OtherLayout<T> other = otherLayouts.get(row);
    return other == null ? plan.layout() : other.layout();
  }

  /**
   * Writes a group of rows into a slot of its own. If some of these rows fail, another layout may
   * then have more rows, and this slot is not used.
   */
  private Written<T> writeApart(Group group) {
    Slot apart = new Slot(HostAllocator.direct());
    apart.arrange(group.layout(), group.rows().size());
    RowCollator.Plan<T> last = null;
    for (int i = 0; i < group.rows().size(); i++) {
      RowCollator.Plan<T> own = write(group.rows().get(i), apart.row(i));
      last = own == null ? last : own;
    }
    return new Written<>(apart, group.rows(), last);
  }

  private RowCollator.@Nullable Plan<T> write(int row, Row target) {
    T sample = otherLayouts.get(row).sample();
    LoaderException.Stage stage = LoaderException.Stage.COLLATE;
    try {
      RowCollator.Plan<T> own = rowCollator().plan(sample);
      stage = LoaderException.Stage.WRITE;
      own.write(sample, target);
      return own;
    } catch (Throwable cause) {
      if (cause instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      fail(row, stage, indices[row], cause);
      return null;
    }
  }

  private void applyErrorPolicy() {
    ErrorPolicy policy = options.errorPolicy();
    if (policy.action() == ErrorPolicy.Action.FAIL) {
      failure = firstOf(failures.values());
      return;
    }
    List<LoaderException> fatal = new ArrayList<>();
    List<LoaderException> others = new ArrayList<>();
    failures.forEach((row, exception) -> (isFatal(row, exception) ? fatal : others).add(exception));
    if (!fatal.isEmpty()) {
      fatal.addAll(others);
      failure = firstOf(fatal);
      return;
    }
    List<LoaderException> all = new ArrayList<>(tolerated);
    all.addAll(failures.values());
    tolerated = List.copyOf(all);
    boolean noneLeft = failures.size() == valid;
    if (noneLeft) {
      // The substitute of a failed row may have another layout.
      plan = null;
      otherLayouts = Collections.emptySortedMap();
    }
    if (policy.action() == ErrorPolicy.Action.SUBSTITUTE) {
      substitute(failures);
    } else {
      if (noneLeft && source.evenSteps()) {
        keepStep();
      }
      closeGaps();
    }
  }

  /**
   * Returns true for a failure that no policy tolerates. After an {@link Error} the loader may not
   * be able to continue. After a failure of a store the next samples fail as well. After the
   * failure of a shard the number of missing samples is unknown.
   */
  private boolean isFatal(int row, LoaderException exception) {
    Throwable cause = exception.getCause();
    return cause instanceof Error
        || cause instanceof SourceSpentException
        || StoreException.isBehind(cause)
        || !batchRows.isSample(row);
  }

  /**
   * Substitutes one row of a batch that would otherwise be empty: the other ranks have a batch in
   * this step, so this rank needs a batch, too. A stream has no substitutes, so its batch fails.
   */
  private void keepStep() {
    if (source.dataset().isPresent()) {
      substitute(new TreeMap<>(failures.headMap(failures.firstKey() + 1)));
      failures.remove(failures.firstKey());
    } else {
      failure =
          LoaderException.of(
              LoaderException.Stage.READ,
              source.datasetName(),
              "none of the %s of batch %d of epoch %d is left; ranks make equally many steps, and a stream has no substitutes"
                  .formatted(Counts.of(valid, "sample"), number, source.epoch()),
              firstOf(failures.values()));
    }
  }

  /** An exception that stands for the failures that are not printed; has no stack trace. */
  private static final class MoreFailures extends Exception {
    private static final long serialVersionUID = 1L;

    MoreFailures(int count) {
      super("and %d more".formatted(count), null, false, false);
    }
  }

  /** Adds the other failures to the first as suppressed: three with their traces, then a count. */
  private static void suppress(Throwable first, List<? extends Throwable> others) {
    others.stream().limit(MOST_SUPPRESSED).forEach(first::addSuppressed);
    if (others.size() > MOST_SUPPRESSED) {
      first.addSuppressed(new MoreFailures(others.size() - MOST_SUPPRESSED));
    }
  }

  private static LoaderException firstOf(Collection<LoaderException> exceptions) {
    LoaderException first = exceptions.iterator().next();
    suppress(first, exceptions.stream().skip(1).toList());
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

  private void substitute(SortedMap<Integer, LoaderException> failed) {
    List<LoaderException> doomed = new ArrayList<>();
    failed.forEach(
        (row, exception) -> {
          if (!substitute(row, exception)) {
            doomed.add(exception);
          }
        });
    if (!doomed.isEmpty()) {
      failure = firstOf(doomed);
    }
  }

  private boolean substitute(int row, LoaderException exception) {
    Dataset<T> dataset = source.dataset().orElseThrow();
    if (!otherLayouts.isEmpty()) {
      otherLayouts.remove(row);
    }
    List<Throwable> attempts = new ArrayList<>();
    if (attempted == null) {
      attempted = new int[indices.length];
    }
    while (attempted[row] < ErrorPolicy.ATTEMPTS) {
      try {
        long index = batchRows.substitute(row, options.seed(), attempted[row]++);
        indices[row] = index;
        // No position has this number: at its own position, the substitute has other random draws.
        long occurrence = Long.MIN_VALUE + (global() << Integer.SIZE) + row;
        SampleContext context =
            new SampleContext(options.seed(), source.epoch(), index, occurrence);
        T sample = dataset.get(index, context);
        put(row, Objects.requireNonNull(sample, "the sample is null"));
        OtherLayout<T> other = otherLayouts.isEmpty() ? null : otherLayouts.remove(row);
        if (other == null) {
          suppress(exception, attempts);
          return true;
        }
        attempts.add(
            new IllegalArgumentException(
                "sample %d in its place: %s"
                    .formatted(
                        index,
                        LayoutDifference.between(plan.layout(), other.layout(), "the batch"))));
      } catch (InterruptedException e) {
        // The loader is being closed, or the consumer was interrupted, so no other sample is tried.
        Thread.currentThread().interrupt();
        attempts.add(e);
        break;
      } catch (Exception e) {
        attempts.add(e);
        if (StoreException.isBehind(e)) {
          break;
        }
      }
    }
    suppress(exception, attempts);
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

  private void pad() {
    rows = options.padLast() ? indices.length : valid;
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

  boolean empty() {
    return failure == null && valid == 0;
  }

  LoaderException failure() {
    return failure;
  }

  void fail(LoaderException exception) {
    failure = exception;
  }

  List<LoaderException> tolerated() {
    return tolerated;
  }

  int rows() {
    return rows;
  }

  int valid() {
    return valid;
  }
}
