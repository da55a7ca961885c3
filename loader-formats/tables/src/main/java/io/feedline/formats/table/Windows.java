package io.feedline.formats.table;

import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.TableColumn;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.samples.TableFile.Block;
import io.feedline.formats.store.internal.samples.TableFile.Front;
import io.feedline.formats.store.internal.samples.TableFile.Wanted;
import io.feedline.formats.store.internal.shards.Shards;
import io.feedline.formats.table.SeriesScan.Gaps;
import io.feedline.formats.table.SeriesScan.Rules;
import io.feedline.internal.Counts;
import io.feedline.internal.Digest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Windows over the time series of a table. A window is a sample: some rows of the past, and the
 * following rows, the horizon, which are to be forecast. Like Keras' {@code
 * timeseries_dataset_from_array}, but for tables of many series in Parquet, Arrow and CSV, and for
 * arrays.
 *
 * <pre>{@code
 * try (Windows windows =
 *     Windows.over(Path.of("demand.parquet"))
 *         .key("sensor")
 *         .time("ts")
 *         .past("load", "temperature")
 *         .target("load")
 *         .length(96)
 *         .horizon(24)
 *         .build()) {
 *   List<Windows> parts = windows.splitAt(Instant.parse("2024-01-01T00:00:00Z"));
 *   // a batch of parts.get(0): past FLOAT32 (256, 96, 2), target FLOAT32 (256, 24, 1)
 * }
 * }</pre>
 *
 * <h2>Principle</h2>
 *
 * <p>{@code build()} reads the columns of key, time and static values once, and keeps the positions
 * of the rows: a few numbers for each run of rows of one series. Other columns are read later: as
 * in {@link TableDataset}, a block of rows is decoded when a window needs it, and blocks are kept
 * up to a number of bytes. A window is copied from its blocks into the batch.
 *
 * <p>Rows of a key may be anywhere in the table and its files, but their times must increase.
 * Reading is fastest if the table is sorted by key and time: a window is then one copy. Windows are
 * ordered by the first rows of their series, and by time within a series.
 *
 * <h2>Broken rows</h2>
 *
 * <p>A null, a NaN or a broken number in a tensor's column makes each window with that row fail,
 * and {@link io.feedline.ErrorPolicy} applies; {@link TableDataset.Builder#missing} sets a value
 * that replaces nulls and NaN. {@code build()} fails if a key or a time is absent, a time is
 * repeated or earlier than the time before it, a row is missing although {@link Builder#every} is
 * given, or a static value changes. The error names file, row, key and time.
 *
 * <h2>Known limitations</h2>
 *
 * <p>A series has fewer than 2<sup>31</sup> rows. Times are compared as the numbers in the table; a
 * text without a time zone is a time in UTC. {@link #split(double[], long)} and the other random
 * splits of {@link io.feedline.data.Dataset} put the same row into windows of several parts; use
 * {@link #splitAt(Instant...)} instead.
 *
 * <p>Thread-safe. Parts and scaled windows share the open files. The opener closes any one of these
 * datasets when none is read any more, which closes the files; {@code close()} may be called twice.
 */
public final class Windows implements ReadAheadDataset<Map<String, Object>>, Closeable {

  private final TableDataset<Map<String, Object>> table;
  private final WindowPlan plan;
  private final List<Series> series;
  private final TimeColumn times;

  /** The index of this part's first window among the windows of each series. */
  private final int[] first;

  private final Shards windows;
  private final @Nullable Double filling;
  private final @Nullable RowBlock fill;
  private final String fingerprint;

  /** The choice of the rows of a window that are copied into a tensor. */
  public enum Span {
    /** The rows of the past: a tensor (length, n), of n columns. */
    PAST,
    /** The rows to forecast: a tensor (horizon, n), of n columns. */
    FUTURE,
    /** All rows: a tensor (length + horizon, n). */
    ALL,
    /** The first row only, for columns that do not change in a series: a tensor (n). */
    STATIC
  }

  private Windows(
      TableDataset<Map<String, Object>> table,
      WindowPlan plan,
      List<Series> series,
      TimeColumn times,
      int[] first,
      long[] counts,
      @Nullable Double filling)
      throws IOException {
    this.table = table;
    this.plan = plan;
    this.series = series;
    this.times = times;
    this.first = first;
    this.windows = Shards.of(counts);
    this.filling = filling;
    this.fill = filling == null ? null : fill(table.plan(), filling);
    Digest part = new Digest();
    for (int i = 0; i < first.length; i++) {
      part.add(series.get(i).firstRow());
      part.add(first[i]);
      part.add(counts[i]);
    }
    this.fingerprint =
        "Windows:"
            + windows.samples()
            + ":"
            + Digest.of(table.fingerprint() + plan + part + filling);
  }

  /** Returns a builder for windows over a table, see {@link TableDataset#builder(Path)}. */
  public static Builder over(Path table) {
    return over(TableDataset.builder(table));
  }

  /**
   * Returns a builder for windows over a table that has options of its own, such as values for
   * nulls, vocabularies, a scaling, the CSV delimiter or the size of the cache.
   *
   * @param table a builder without entries, such as {@code TableDataset.builder(path).missing(0)}
   */
  public static Builder over(TableDataset.Builder<Map<String, Object>> table) {
    return new Builder(table);
  }

  /**
   * Returns a builder for windows over arrays. An array (n) is a column with the array's name. An
   * array (n, k) is k columns, {@code name.0} to {@code name.k-1}; its name stands for all k.
   *
   * @param arrays the arrays by their names. They must not change while windows are read; blocks of
   *     rows are copied from them when needed, and up to 256 MiB of copies are kept
   * @throws IllegalArgumentException if there is no array, or the arrays have different n
   */
  public static Builder over(Map<String, Tensor> arrays) {
    return over(TableDataset.arrays(new ArrayTables(arrays)));
  }

  @Override
  public long size() {
    return windows.samples();
  }

  /** Returns the number of series with at least one window. */
  public int seriesCount() {
    return (int) Arrays.stream(windows.sizes()).filter(size -> size > 0).count();
  }

  @Override
  public Map<String, Object> get(long index) throws IOException {
    int number = windows.shardOf(index);
    return plan.sample(series.get(number), begin(number, index), table::at, fill);
  }

  private int begin(int number, long index) {
    return (first[number] + windows.indexIn(number, index)) * plan.stride();
  }

  /** Returns the key of a window's series; empty if the table has no keys. */
  public String key(long index) {
    return series.get(windows.shardOf(index)).key;
  }

  /**
   * Returns the time of a row of a window: for timestamps the stored number, for texts the
   * microseconds since 1970, and without a time column the row's index in its series.
   *
   * @param row from 0 to length + horizon - 1; the first of the horizon is {@code length}
   * @throws IndexOutOfBoundsException if there is no such window or row
   */
  public long time(long index, int row) {
    int number = windows.shardOf(index);
    Objects.checkIndex(row, plan.past() + plan.horizon());
    return series.get(number).time(begin(number, index) + row * plan.rate());
  }

  /**
   * Splits the windows by time. With times a and b, the parts are the windows before a, from a to
   * before b, and from b on.
   *
   * <p>The rows of a window's horizon decide; without a horizon all its rows decide. A window
   * belongs to the part that contains the times of all these rows; it is left out if they are on
   * both sides of a time. So a row that is forecast in one part is in no window of an earlier part.
   * The past of a window may reach into an earlier part, since it is known when the forecast is
   * made.
   *
   * @param times increasing numbers in the unit of the time column
   * @return one part more than times; a part may be empty
   * @throws IllegalArgumentException if the times do not increase
   * @throws IOException if the table cannot be read
   */
  public List<Windows> splitAt(long... times) throws IOException {
    List<Windows> parts = new ArrayList<>();
    for (int i = 0; i <= times.length; i++) {
      if (i > 0 && i < times.length && times[i] <= times[i - 1]) {
        throw new IllegalArgumentException(
            "the times of a split must increase, were " + Arrays.toString(times));
      }
      parts.add(
          part(
              i == 0 ? Long.MIN_VALUE : times[i - 1],
              i == times.length ? Long.MAX_VALUE : times[i]));
    }
    return parts;
  }

  /**
   * Splits the windows as {@link #splitAt(long...)} does, at instants.
   *
   * @throws IllegalArgumentException if the times do not increase, or the time column has whole
   *     numbers without a unit
   * @throws IOException if the table cannot be read
   */
  public List<Windows> splitAt(Instant... times) throws IOException {
    return splitAt(Arrays.stream(times).mapToLong(this.times::ticks).toArray());
  }

  /**
   * Splits the windows as {@link #splitAt(long...)} does, into fractions of the time from the first
   * row of all windows to the last row.
   *
   * @param fractions two or more, such as 0.7, 0.15, 0.15; each above 0, with the sum 1
   * @throws IllegalArgumentException if the fractions are not as described
   * @throws IOException if the table cannot be read
   */
  public List<Windows> splitByTime(double... fractions) throws IOException {
    double sum = Arrays.stream(fractions).sum();
    if (fractions.length < 2
        || Arrays.stream(fractions).anyMatch(each -> !(each > 0))
        || Math.abs(sum - 1) > 1e-6) {
      throw new IllegalArgumentException(
          "fractions of time must be above 0 with the sum 1, were " + Arrays.toString(fractions));
    }
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (int i = 0; i < first.length; i++) {
      if (windows.size(i) > 0) {
        least = Math.min(least, series.get(i).time(first[i] * plan.stride()));
        most = Math.max(most, series.get(i).time(behind(i) - 1));
      }
    }
    long[] times = new long[fractions.length - 1];
    double before = 0;
    for (int i = 0; i < times.length; i++) {
      before += fractions[i];
      times[i] = least + Math.round(before * (most - least + 1.0));
    }
    return splitAt(times);
  }

  /** Returns the position in a series after the last row of this part's last window there. */
  private int behind(int number) {
    return (first[number] + (int) windows.size(number) - 1) * plan.stride() + plan.rows();
  }

  private Windows part(long from, long to) throws IOException {
    int row = plan.horizon() == 0 ? 0 : plan.past();
    int[] begins = new int[first.length];
    long[] counts = new long[first.length];
    for (int i = 0; i < first.length; i++) {
      Series each = series.get(i);
      int behind = to == Long.MAX_VALUE ? each.length() : each.firstAt(to);
      int begin = from == Long.MIN_VALUE ? 0 : plan.firstWindow(row, each.firstAt(from));
      begins[i] = Math.max(first[i], begin);
      long end = Math.min(first[i] + windows.size(i), plan.windows(behind));
      counts[i] = Math.max(0, end - begins[i]);
    }
    return new Windows(table, plan, series, times, begins, counts, filling);
  }

  /**
   * Returns the same windows with scaled columns in FLOAT32 and FLOAT64 tensors. Columns that are
   * not in the scaling stay unchanged.
   *
   * @throws IOException if the table cannot be read
   */
  public Windows scaled(Scaling scaling) throws IOException {
    TableDataset<Map<String, Object>> other =
        table.with(table.plan().with(table.plan().entries(), scaling));
    return new Windows(other, plan, series, times, first, windows.sizes(), filling);
  }

  /**
   * Passes each row of this part to {@code taker}, from the first window's first row to the last
   * window's last row of each series, with the columns as doubles. Filled rows are left out.
   */
  void forEachRow(String[] columns, Consumer<ByteBuffer> taker) throws IOException {
    RowPlan.Entry entry = new RowPlan.Entry("fitted", List.of(columns), DType.FLOAT64, false, null);
    RowPlan<Map<String, Object>> fitted = table.plan().with(List.of(entry), null);
    for (TableFile file : table.tables()) {
      file.check(fitted.wanted());
    }
    TableDataset<Map<String, Object>> rows = table.with(fitted);
    for (int i = 0; i < first.length; i++) {
      int end = windows.size(i) == 0 ? 0 : behind(i);
      for (int position = first[i] * plan.stride(); position < end; position++) {
        if (series.get(i).together(position) > 0) {
          TableDataset.BlockRow at = rows.at(series.get(i).row(position));
          String problem = at.rows().failures().get(at.row());
          if (problem != null) {
            throw FormatException.in(at.rows().file(), at.block().place(at.row()) + ": " + problem);
          }
          RowBlock.Tensors numbers = (RowBlock.Tensors) at.rows().parts()[0];
          taker.accept(
              ByteBuffer.wrap(numbers.memory(), at.row() * numbers.rowBytes(), numbers.rowBytes())
                  .order(ByteOrder.nativeOrder()));
        }
      }
    }
  }

  @Override
  public Path anyFile() {
    return table.anyFile();
  }

  /** Returns the place in the table of the window's first row, the key, and that row's time. */
  @Override
  public String describe(long index) {
    if (index < 0 || index >= size()) {
      return "index " + index;
    }
    int number = windows.shardOf(index);
    Series of = series.get(number);
    return "%s, %s%s of %s from %s"
        .formatted(
            table.describe(of.row(begin(number, index))),
            of.key.isEmpty() ? "" : "key '" + of.key + "', ",
            "window",
            Counts.of(plan.rows(), "row"),
            times.words(time(index, 0)));
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public String name() {
    return "Windows(%s)".formatted(table.source().words());
  }

  /** Returns the numbers of windows and series, and of series that are too short for a window. */
  @Override
  public String toString() {
    long tooShort = series.stream().filter(each -> plan.windows(each.length()) == 0).count();
    return "%s, %s of %s in %s%s"
        .formatted(
            name(),
            Counts.of(size(), "window"),
            Counts.of(plan.rows(), "row"),
            seriesCount() + " series",
            tooShort == 0 ? "" : "; " + tooShort + " series shorter than a window");
  }

  long cachedBytes() {
    return table.cachedBytes();
  }

  @Override
  public void close() throws IOException {
    table.close();
  }

  /** Returns the row that replaces missing rows: {@code value} in each column, and then scaled. */
  private static RowBlock fill(RowPlan<?> plan, double value) throws IOException {
    List<Wanted> wanted = plan.wanted();
    Block row =
        new Block() {
          @Override
          public int rows() {
            return 1;
          }

          @Override
          public String place(int row) {
            return "fillGaps(" + value + ")";
          }

          @Override
          public List<ColumnValues> read() {
            return wanted.stream()
                .map(
                    each -> {
                      ColumnValues one = new ColumnValues(ColumnValues.Kind.DOUBLE, 1);
                      one.set(0, value);
                      return one;
                    })
                .toList();
          }
        };
    return plan.rows(Path.of("fillGaps"), row);
  }

  /** A builder; see {@link Windows#over}. Not thread-safe. */
  public static final class Builder {
    private final TableDataset.Builder<Map<String, Object>> rows;
    private final List<WindowPlan.Entry> entries = new ArrayList<>();
    private @Nullable String key;
    private @Nullable String time;
    private @Nullable Object step;
    private Gaps gaps = Gaps.ERROR;
    private @Nullable Double filling;
    private int length;
    private int horizon;
    private int stride = 1;
    private int rate = 1;

    private Builder(TableDataset.Builder<Map<String, Object>> rows) {
      this.rows = Objects.requireNonNull(rows, "table");
    }

    /** Sets the column that names a row's series, text or whole number; by default one series. */
    public Builder key(String column) {
      this.key = Objects.requireNonNull(column, "column");
      return this;
    }

    /**
     * Sets the column of times: timestamps, dates, whole numbers, or texts such as {@code
     * 2024-05-01 12:00:00}, all with a time zone or all without one. If no time column is set, the
     * rows must be in the order of time.
     */
    public Builder time(String column) {
      this.time = Objects.requireNonNull(column, "column");
      return this;
    }

    /** Adds {@code past}, FLOAT32 (length, n): n columns in the rows of the past. */
    public Builder past(String... columns) {
      return tensor("past", Span.PAST, DType.FLOAT32, columns);
    }

    /** Adds {@code future}, FLOAT32 (horizon, n): n columns whose values are known in advance. */
    public Builder future(String... columns) {
      return tensor("future", Span.FUTURE, DType.FLOAT32, columns);
    }

    /** Adds {@code target}, FLOAT32 (horizon, n): the n columns to forecast. */
    public Builder target(String... columns) {
      return tensor("target", Span.FUTURE, DType.FLOAT32, columns);
    }

    /** Adds {@code static}, FLOAT32 (n): n columns that do not change in a series. */
    public Builder statics(String... columns) {
      return tensor("static", Span.STATIC, DType.FLOAT32, columns);
    }

    /**
     * Adds the numbers of the named columns as a tensor.
     *
     * @param of which rows of a window are copied into the tensor
     * @param dtype FLOAT32, FLOAT64, INT32 or INT64
     * @throws IllegalArgumentException if the dtype is another one, or no column is named
     */
    public Builder tensor(String name, Span of, DType dtype, String... columns) {
      List<String> all = rows.expand(columns);
      TableDataset.Builder.checkTensor(name, dtype, all);
      entries.add(new WindowPlan.Entry(name, Objects.requireNonNull(of, "of"), dtype, all));
      return this;
    }

    /** Sets how many rows of the past a window has, 1 or more; required. */
    public Builder length(int length) {
      this.length = atLeast(1, "length", length);
      return this;
    }

    /** Sets how many rows to forecast follow the past in a window; 0 by default. */
    public Builder horizon(int horizon) {
      this.horizon = atLeast(0, "horizon", horizon);
      return this;
    }

    /** Sets the number of rows between the starts of two windows, 1 by default. */
    public Builder stride(int stride) {
      this.stride = atLeast(1, "stride", stride);
      return this;
    }

    /** Sets that a window takes every {@code rate}-th row of the table; 1 by default, all rows. */
    public Builder samplingRate(int rate) {
      this.rate = atLeast(1, "samplingRate", rate);
      return this;
    }

    private static int atLeast(int least, String name, int value) {
      if (value < least) {
        throw new IllegalArgumentException(
            "%s must be %d or more, was %d".formatted(name, least, value));
      }
      return value;
    }

    /**
     * Sets the expected difference between the times of consecutive rows, in the unit of the time
     * column. Another difference is an error, unless gaps are skipped or filled. By default any
     * difference is allowed.
     */
    public Builder every(long step) {
      if (step < 1) {
        throw new IllegalArgumentException("every must be 1 or more, was " + step);
      }
      this.step = step;
      return this;
    }

    /** Sets the difference as {@link #every(long)} does; times must be timestamps or texts. */
    public Builder every(Duration step) {
      if (step.isZero() || step.isNegative()) {
        throw new IllegalArgumentException("every must be above zero, was " + step);
      }
      this.step = step;
      return this;
    }

    /** Sets that no window contains a gap: after a gap a new series begins. */
    public Builder skipGaps() {
      return gaps(Gaps.SKIP, null);
    }

    /** Sets that missing rows in a gap are copies of the row before the gap. */
    public Builder repeatInGaps() {
      return gaps(Gaps.REPEAT, null);
    }

    /** Sets that missing rows in a gap have this value in all columns except the static columns. */
    public Builder fillGaps(double value) {
      return gaps(Gaps.FILL, value);
    }

    private Builder gaps(Gaps choice, @Nullable Double value) {
      if (gaps != Gaps.ERROR && gaps != choice) {
        throw new IllegalArgumentException(
            "gaps are skipped, repeated or filled: choose one of skipGaps, repeatInGaps and fillGaps");
      }
      this.gaps = choice;
      this.filling = value;
      return this;
    }

    private WindowPlan plan() {
      if (length == 0) {
        throw new IllegalArgumentException("windows need a length: length(96)");
      }
      if (entries.isEmpty()) {
        throw new IllegalArgumentException(
            "windows need columns: past(\"load\"), and target(\"load\") of what is to be forecast");
      }
      for (WindowPlan.Entry entry : entries) {
        if (entry.of() == Span.FUTURE && horizon == 0) {
          throw new IllegalArgumentException(
              "'%s' takes the rows of the horizon, which is 0: set horizon(24)"
                  .formatted(entry.name()));
        }
      }
      if (gaps != Gaps.ERROR && (step == null || time == null)) {
        throw new IllegalArgumentException(
            "gaps are found by the distance of times: set time(\"ts\") and every(Duration.ofHours(1))");
      }
      if (step != null && time == null) {
        throw new IllegalArgumentException("every needs a column of times: time(\"ts\")");
      }
      if (((long) length + horizon - 1) * rate + 1 > Integer.MAX_VALUE - 64) {
        throw new IllegalArgumentException(
            "a window of %d and %d rows at a rate of %d is longer than a series can be"
                .formatted(length, horizon, rate));
      }
      return new WindowPlan(length, horizon, stride, rate, List.copyOf(entries));
    }

    private List<RowPlan.Entry> ofRows() {
      return entries.stream().map(WindowPlan.Entry::ofRow).toList();
    }

    private TimeColumn times(TableFile table) {
      Duration unit = null;
      for (TableColumn column : table.schema().leaves().values()) {
        if (column.tableName().equals(time)) {
          unit = column.timeUnit();
        }
      }
      return new TimeColumn(String.valueOf(time), unit);
    }

    /**
     * Opens the table, and finds its series.
     *
     * @throws IllegalArgumentException if an option is missing or does not fit another
     * @throws IOException if there is no table, a file is damaged, a column is missing, times are
     *     not in order, or no series is as long as a window
     */
    public Windows build() throws IOException {
      WindowPlan plan = plan();
      Rules rules = new Rules(key, time, step, gaps);
      TableDataset<Map<String, Object>> table = rows.buildFor(ofRows());
      try {
        TimeColumn times = times(table.tables().get(0));
        List<Series> series = scan(table, rules, times);
        long[] counts = series.stream().mapToLong(each -> plan.windows(each.length())).toArray();
        requireWindows(table, plan, series, counts);
        return new Windows(table, plan, series, times, new int[counts.length], counts, filling);
      } catch (IOException | RuntimeException | Error failure) {
        table.close();
        throw failure;
      }
    }

    private List<RowPlan.Entry> statics() {
      return entries.stream()
          .filter(entry -> entry.of() == Span.STATIC)
          .map(WindowPlan.Entry::ofRow)
          .toList();
    }

    private List<Series> scan(
        TableDataset<Map<String, Object>> table, Rules rules, TimeColumn times) throws IOException {
      List<RowPlan.Entry> scanned = rules.behind(statics());
      if (scanned.isEmpty()) {
        return table.size() == 0 ? List.of() : List.of(Series.ofRows(table.size()));
      }
      SeriesScan scan = new SeriesScan(rules, times, scanned, statics(), false);
      RowPlan<?> plan = table.plan().with(scanned, null);
      long row = 0;
      for (int i = 0; i < table.tables().size(); i++) {
        Path file = table.source().paths().get(i);
        table.tables().get(i).check(plan.wanted());
        try (Front front = table.tables().get(i).front(plan.wanted())) {
          for (Block block = front.next(); block != null; block = front.next()) {
            RowBlock columns = plan.rows(file, block);
            for (int at = 0; at < columns.rows(); at++) {
              try {
                scan.add(columns, at, row++);
              } catch (FormatException problem) {
                throw FormatException.in(file, block.place(at) + ": " + problem.getMessage());
              }
            }
          }
        }
      }
      scan.series().forEach(Series::trim);
      return List.copyOf(scan.series());
    }

    private static void requireWindows(
        TableDataset<?> table, WindowPlan plan, List<Series> series, long... counts)
        throws FormatException {
      if (Arrays.stream(counts).sum() == 0) {
        Series longest = null;
        for (Series each : series) {
          longest = longest == null || each.length() > longest.length() ? each : longest;
        }
        throw FormatException.in(
            table.anyFile(),
            longest == null
                ? "the table has no rows"
                : "a window has %s, and no series is that long: the longest%s has %s"
                    .formatted(
                        Counts.of(plan.rows(), "row"),
                        longest.key.isEmpty() ? "" : ", '" + longest.key + "',",
                        Counts.of(longest.length(), "row")));
      }
    }

    /**
     * Returns the windows as a stream in the order of {@link #build}, for tables that are larger
     * than memory and for compressed CSV. Nothing is read in advance, and memory contains only the
     * blocks of one window. The rows of a key must be adjacent in the table; they may continue in
     * the next file. A resumed loader continues at the block where it stopped.
     *
     * @throws IllegalArgumentException in the cases of {@link #build}
     * @throws IOException if there is no table, a file is damaged, or a column is missing
     */
    public IterableDataset<Map<String, Object>> stream() throws IOException {
      WindowPlan plan = plan();
      Rules rules = new Rules(key, time, step, gaps);
      List<RowPlan.Entry> all = rules.behind(ofRows());
      TableDataset.Builder.Streamed<Map<String, Object>> table = rows.streamFor(all);
      return new WindowStream(
          table.source(),
          plan,
          table.plan(),
          () -> new SeriesScan(rules, times(table.first()), all, statics(), true),
          filling == null ? null : fill(table.plan(), filling),
          table.checksums());
    }
  }
}
