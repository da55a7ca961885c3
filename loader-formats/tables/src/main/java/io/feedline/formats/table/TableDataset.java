package io.feedline.formats.table;

import io.feedline.batch.DType;
import io.feedline.batch.TensorSource;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.PartCache;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.samples.TableFile.Block;
import io.feedline.formats.store.internal.samples.TableFile.Wanted;
import io.feedline.formats.store.internal.shards.Shards;
import io.feedline.formats.store.internal.shards.TableFormat.TextOptions;
import io.feedline.formats.table.RowPlan.Entry;
import io.feedline.internal.Counts;
import io.feedline.internal.Digest;
import io.feedline.internal.RecordType;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of Parquet, Arrow and CSV files as samples: columns of numbers side by side in one tensor,
 * and any column as a value of Java.
 *
 * <pre>{@code
 * try (TableDataset<Map<String, Object>> table =
 *         TableDataset.builder(Path.of("houses.parquet"))
 *             .features("area", "rooms", "year")
 *             .tensor("price", DType.FLOAT32, "price")
 *             .build();
 *     DataLoader<Map<String, Object>> loader = DataLoader.builder(table).batchSize(256).build()) {
 *   // features FLOAT32 (256, 3), price FLOAT32 (256, 1)
 * }
 * }</pre>
 *
 * <h2>Principle</h2>
 *
 * <p>Only the named columns are read. The dataset decodes rows in blocks. It keeps decoded blocks,
 * in the form in which rows are copied into a batch, up to a number of bytes. A block is a record
 * batch of Arrow, some 256 KiB of CSV, and in Parquet the rows of the longest page among the
 * columns; a table with columns of lists has one block per row group. A wholly random order over a
 * table that is larger than the cache decodes a block for each row: take {@link
 * io.feedline.sampler.ShardedSampler} with {@link #groupSizes}, or a stream.
 *
 * <h2>Types</h2>
 *
 * <table>
 * <caption>Values by type</caption>
 * <tr><th>column</th><th>in a tensor</th><th>in a map</th></tr>
 * <tr><td>whole numbers</td><td>a number</td><td>Long</td></tr>
 * <tr><td>date, time, timestamp</td><td>the stored number: days or units since 1970; for a time,
 * units since midnight; for INT96, nanoseconds since 1970</td><td>Long</td></tr>
 * <tr><td>half, float</td><td>a number</td><td>Float</td></tr>
 * <tr><td>double; decimal, rounded to a double</td><td>a number</td><td>Double</td></tr>
 * <tr><td>boolean</td><td>0 or 1</td><td>Boolean</td></tr>
 * <tr><td>text, dictionary of texts</td><td>by a {@link Vocabulary}</td><td>String</td></tr>
 * <tr><td>bytes</td><td>refused</td><td>{@code byte[]}</td></tr>
 * <tr><td>list of one of these</td><td>refused</td><td>{@code long[]}, {@code float[]}, {@code
 *     double[]}, {@code boolean[]}, List</td></tr>
 * </table>
 *
 * <p>The entry of a CSV column determines its type: a number in a tensor, a text in a map. A column
 * within a structure is called {@code person.age}.
 *
 * <p>A row fails if a value is null, if a CSV field for a number or a category is empty, or if a
 * number does not fit the tensor's type. The error names file, row or line, and column. {@link
 * Builder#missing} sets a value that replaces nulls and empty fields.
 *
 * <h2>Known limitations</h2>
 *
 * <p>The compressions and encodings of Parquet are those of {@link TableImages}; lists of lists,
 * maps, unions, intervals and views are not read. A CSV file that is compressed by gzip or
 * Zstandard needs {@code io.feedline:loader-text}, and is only read as a stream. Other CSV files
 * are read once when they are opened, to find their rows. CSV is UTF-8 by RFC 4180.
 *
 * <p>Thread-safe. The opener closes the dataset, after the loader. {@code close()} may be called
 * twice; reading a closed dataset throws an {@link IllegalStateException}.
 *
 * @param <T> a sample: a map that cannot be changed, or a record
 */
public final class TableDataset<T> implements ReadAheadDataset<T>, Closeable {

  private static final long DEFAULT_CACHE_BYTES = 256L << 20;

  private final TableSource source;
  private final OpenFiles files;
  private final List<TableFile> tables;
  private final RowPlan<T> plan;
  private final Shards groups;
  private final Shards groupsOfFiles;
  private final AtomicReferenceArray<Group> found;
  private final PartCache<RowBlock> cache;
  private final long cacheBytes;
  private final String fingerprint;

  /** The block that was read last. Most reads need it again, and find it here without a lock. */
  private volatile @Nullable Loaded last;

  private volatile boolean closed;

  /** A group of rows, such as a Parquet row group: its blocks, and the first row of each block. */
  private record Group(List<? extends Block> blocks, Shards starts) {}

  private record Loaded(Group group, int block, RowBlock rows) {}

  private TableDataset(
      TableSource source, OpenFiles files, List<TableFile> tables, RowPlan<T> plan, long cacheBytes)
      throws IOException {
    this.source = source;
    this.files = files;
    this.tables = tables;
    this.plan = plan;
    List<long[]> rows = new ArrayList<>();
    List<Long> checksums = new ArrayList<>();
    for (TableFile table : tables) {
      rows.add(table.rows());
      checksums.add(table.checksum());
    }
    this.groupsOfFiles = Shards.of(rows.stream().mapToLong(each -> each.length).toArray());
    this.groups = Shards.of(rows.stream().flatMapToLong(LongStream::of).toArray());
    this.found = new AtomicReferenceArray<>(groups.count());
    this.cacheBytes = cacheBytes;
    this.cache = new PartCache<>(cacheBytes);
    this.fingerprint =
        "TableDataset:" + groups.samples() + ":" + Digest.of(checksums + plan.fingerprint());
  }

  /**
   * Returns a builder for the rows of a table, as maps.
   *
   * @param path a {@code .parquet}, {@code .arrow}, {@code .feather}, {@code .csv} or {@code .tsv}
   *     file of any file system, a pattern such as {@code train-*.parquet}, or a directory with
   *     files of one of these kinds
   */
  public static Builder<Map<String, Object>> builder(Path path) {
    return new Builder<>(List.of(path), false, null, null);
  }

  /**
   * Returns a builder for the rows of the given files as maps, in this order. The files may be
   * those of a split.
   *
   * @param files one file or more, all of the same format
   */
  public static Builder<Map<String, Object>> builder(List<Path> files) {
    return new Builder<>(List.copyOf(files), true, null, null);
  }

  static Builder<Map<String, Object>> arrays(ArrayTables arrays) {
    return new Builder<>(List.of(ArrayTables.NAME), false, null, arrays);
  }

  /**
   * Returns a builder for the rows of a table as records. A component contains the value of the
   * column with the component's name. If the builder has a tensor with that name, the component is
   * a {@link TensorSource} with the tensor.
   *
   * @param path a path as for {@link #builder(Path)}
   * @param type a record with components of primitive types, their wrappers and arrays, {@code
   *     String}, {@code List} and {@code TensorSource}
   * @param <R> the type of samples
   */
  public static <R extends Record> Builder<R> records(Path path, Class<R> type) {
    return new Builder<>(List.of(path), false, Objects.requireNonNull(type, "type"), null);
  }

  /**
   * Returns a builder for the rows of the given files, in this order, as records.
   *
   * @param files the files, as for {@link #builder(List)}
   * @param type a record as for {@link #records(Path, Class)}
   * @param <R> the type of samples
   */
  public static <R extends Record> Builder<R> records(List<Path> files, Class<R> type) {
    return new Builder<>(List.copyOf(files), true, Objects.requireNonNull(type, "type"), null);
  }

  @Override
  public long size() {
    return groups.samples();
  }

  @Override
  public T get(long index) throws IOException {
    BlockRow at = at(index);
    return plan.sample(at.rows(), at.row(), at.block()::place);
  }

  record BlockRow(RowBlock rows, Block block, int row) {}

  /** Returns a row and the block that contains it; reads the block if it is not kept. */
  BlockRow at(long index) throws IOException {
    int group = groups.shardOf(index);
    int row = groups.indexIn(group, index);
    if (closed) {
      throw new IllegalStateException(name() + " is read after it was closed");
    }
    Group blocks = group(group);
    int number = blocks.starts().shardOf(row);
    int within = blocks.starts().indexIn(number, row);
    Block block = blocks.blocks().get(number);
    return new BlockRow(rows(group, blocks, number, block), block, within);
  }

  /** Returns a dataset with other entries over the same rows and files, with its own cache. */
  TableDataset<T> with(RowPlan<T> other) throws IOException {
    return new TableDataset<>(source, files, tables, other, cacheBytes);
  }

  RowPlan<T> plan() {
    return plan;
  }

  List<TableFile> tables() {
    return tables;
  }

  TableSource source() {
    return source;
  }

  private Group group(int group) throws IOException {
    Group known = found.get(group);
    if (known == null) {
      int file = groupsOfFiles.shardOf(group);
      List<? extends Block> blocks =
          tables.get(file).blocks(groupsOfFiles.indexIn(file, group), plan.wanted());
      known = new Group(blocks, Shards.of(blocks.stream().mapToLong(Block::rows).toArray()));
      if (!found.compareAndSet(group, null, known)) {
        known = found.get(group);
      }
    }
    return known;
  }

  @SuppressWarnings("ReferenceEquality")
  private RowBlock rows(int number, Group group, int block, Block stored) throws IOException {
    Loaded recent = last;
    if (recent != null && recent.group() == group && recent.block() == block) {
      return recent.rows();
    }
    RowBlock rows =
        cache.get(
            new PartCache.Key(group, block),
            RowBlock::bytes,
            () -> plan.rows(source.paths().get(groupsOfFiles.shardOf(number)), stored));
    last = new Loaded(group, block, rows);
    return rows;
  }

  /** Returns the row count of each group, for {@link io.feedline.sampler.ShardedSampler#of}. */
  public long[] groupSizes() {
    return groups.sizes();
  }

  @Override
  public Path anyFile() {
    return source.paths().get(0);
  }

  /** Returns the file, group and row of a sample. */
  @Override
  public String describe(long index) {
    if (index < 0 || index >= size()) {
      return "index " + index;
    }
    int group = groups.shardOf(index);
    int file = groupsOfFiles.shardOf(group);
    int row = groups.indexIn(group, index);
    return "%s, %s"
        .formatted(
            source.paths().get(file),
            tables.get(file).place(groupsOfFiles.indexIn(file, group), row));
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public String name() {
    return "TableDataset(%s)".formatted(source.words());
  }

  @Override
  public String toString() {
    return "%s, %s, columns %s"
        .formatted(
            name(),
            Counts.of(size(), "row"),
            plan.wanted().stream().map(Wanted::name).distinct().toList());
  }

  long cachedBytes() {
    return cache.bytes();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    files.close();
  }

  /**
   * A builder; see {@link TableDataset#builder(Path)}. If no entry is added, the map of a sample
   * has all columns. Not thread-safe.
   *
   * @param <T> a sample
   */
  public static final class Builder<T> {
    /** The files that were given as a list; otherwise the one path by which files are found. */
    private final List<Path> paths;

    private final boolean listed;
    private final @Nullable Class<?> type;

    /** The arrays that are the table; null if the table is in files. */
    private final @Nullable ArrayTables arrays;

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Object> defaults = new HashMap<>();
    private final Map<String, Vocabulary> categories = new HashMap<>();
    private @Nullable Object defaultOfAll;
    private @Nullable Scaling scaling;
    private char delimiter;
    private List<String> columnNames = List.of();
    private boolean allowMissing;
    private long cacheBytes = DEFAULT_CACHE_BYTES;
    private int openFiles = OpenFiles.DEFAULT_LIMIT;

    private Builder(
        List<Path> paths, boolean listed, @Nullable Class<?> type, @Nullable ArrayTables arrays) {
      this.paths = paths;
      this.listed = listed;
      this.type = type;
      this.arrays = arrays;
    }

    /** Adds {@code features}, FLOAT32 (n): the numbers of n columns. */
    public Builder<T> features(String... columns) {
      return tensor("features", DType.FLOAT32, columns);
    }

    /**
     * Adds the numbers of n columns as a tensor of shape (n).
     *
     * @param name the name of the entry
     * @param dtype FLOAT32, FLOAT64, INT32 or INT64; FLOAT32 rounds to the nearest, and a number
     *     that does not fit another of these types is an error
     * @throws IllegalArgumentException if the dtype is another, or there is no column
     */
    public Builder<T> tensor(String name, DType dtype, String... columns) {
      checkTensor(name, dtype, List.of(columns));
      entries.add(new Entry(name, List.of(columns), dtype, false, null));
      return this;
    }

    static void checkTensor(String name, DType dtype, List<String> columns) {
      if (columns.isEmpty()) {
        throw new IllegalArgumentException(
            "the tensor '%s' needs one column or more".formatted(name));
      }
      if (dtype != DType.FLOAT32
          && dtype != DType.FLOAT64
          && dtype != DType.INT32
          && dtype != DType.INT64) {
        throw new IllegalArgumentException(
            "a tensor of columns is FLOAT32, FLOAT64, INT32 or INT64, was " + dtype);
      }
    }

    /** Adds {@code label}, an INT64 scalar, the form in which classification losses take labels. */
    public Builder<T> label(String column) {
      entries.add(new Entry("label", List.of(column), DType.INT64, true, null));
      return this;
    }

    /** Adds columns as Java values; an entry has the name of its column. */
    public Builder<T> columns(String... columns) {
      for (String column : columns) {
        entries.add(new Entry(column, List.of(column), null, false, null));
      }
      return this;
    }

    /** Sets a column's vocabulary, which replaces names by numbers wherever the column is used. */
    public Builder<T> categories(String column, Vocabulary vocabulary) {
      categories.put(column, Objects.requireNonNull(vocabulary, "vocabulary"));
      return this;
    }

    /**
     * Sets the value that replaces nulls; by default nulls are errors. In a list the value replaces
     * null elements, and a null list becomes an empty list.
     *
     * @param value a number, a text or a truth value, of the columns' type; for a column with a
     *     vocabulary, a name
     * @param columns the names of the columns; without names, all columns
     */
    public Builder<T> missing(Object value, String... columns) {
      Object number = value instanceof Boolean truth ? (Object) (truth ? 1 : 0) : value;
      if (!(number instanceof Number) && !(number instanceof String)) {
        throw new IllegalArgumentException(
            "the value in place of nulls must be a number, a text or a boolean, was " + value);
      }
      for (String column : columns) {
        defaults.put(column, number);
      }
      if (columns.length == 0) {
        defaultOfAll = number;
      }
      return this;
    }

    /** Sets the scaling of FLOAT32 and FLOAT64 tensors, also of values that replace nulls. */
    public Builder<T> scaling(Scaling scaling) {
      this.scaling = Objects.requireNonNull(scaling, "scaling");
      return this;
    }

    /** Sets the delimiter of CSV, in ASCII; by default a tab for {@code .tsv}, else a comma. */
    public Builder<T> delimiter(char delimiter) {
      if (delimiter == 0
          || delimiter >= 128
          || delimiter == '"'
          || delimiter == '\n'
          || delimiter == '\r') {
        throw new IllegalArgumentException(
            "a delimiter is an ASCII character other than a quote or a line end, was '%s'"
                .formatted(delimiter));
      }
      this.delimiter = delimiter;
      return this;
    }

    /** Sets the column names of CSV files whose first line has values instead of names. */
    public Builder<T> columnNames(String... names) {
      this.columnNames = List.of(names);
      return this;
    }

    /**
     * Sets whether files of a numbered series, such as {@code train-00003-of-00005}, may be
     * missing; false by default: a missing file is an error.
     */
    public Builder<T> allowMissingShards(boolean allowed) {
      this.allowMissing = allowed;
      return this;
    }

    /**
     * Sets how many bytes of heap memory the kept blocks may take, 256 MiB by default; a stream
     * keeps no blocks. A block larger than this limit is kept until the next block is read. Blocks
     * that are being decoded do not count.
     *
     * @param cacheBytes 0 or more
     */
    public Builder<T> cacheBytes(long cacheBytes) {
      if (cacheBytes < 0) {
        throw new IllegalArgumentException("cacheBytes must be 0 or more, was " + cacheBytes);
      }
      this.cacheBytes = cacheBytes;
      return this;
    }

    /** Sets how many files stay open between reads; 128 by default. */
    public Builder<T> openFiles(int openFiles) {
      this.openFiles = openFiles;
      return this;
    }

    private TableSource source() throws IOException {
      TableSource.Options options =
          new TableSource.Options(new TextOptions(delimiter, columnNames), allowMissing);
      if (arrays != null) {
        return new TableSource(arrays, paths, options);
      }
      return listed ? TableSource.listed(paths, options) : TableSource.open(paths.get(0), options);
    }

    List<String> expand(String... names) {
      return arrays == null ? List.of(names) : arrays.columns(names);
    }

    TableDataset<T> buildFor(List<Entry> ofWindows) throws IOException {
      requireNoEntries();
      return build(ofWindows, true);
    }

    /** The parts of a table that a stream still needs when the table's files are closed. */
    record Streamed<T>(
        TableSource source, TableFile first, RowPlan<T> plan, long[] rows, List<Long> checksums) {}

    Streamed<T> streamFor(List<Entry> ofWindows) throws IOException {
      requireNoEntries();
      return streamed(ofWindows, true);
    }

    private Streamed<T> streamed(List<Entry> given, boolean nanIsNull) throws IOException {
      TableSource source = source();
      try (OpenFiles files = new OpenFiles(openFiles)) {
        List<TableFile> tables = source.openAll(files);
        RowPlan<T> plan = plan(tables, given, nanIsNull);
        long[] rows = new long[tables.size()];
        List<Long> checksums = new ArrayList<>();
        for (int i = 0; i < rows.length; i++) {
          rows[i] = tables.get(i).knownRows();
          checksums.add(tables.get(i).checksum());
        }
        return new Streamed<>(source, tables.get(0), plan, rows, checksums);
      }
    }

    private void requireNoEntries() {
      if (!entries.isEmpty() || type != null) {
        throw new IllegalArgumentException(
            "the table of windows has entries of its own, %s: name the columns by past, future, target, statics or tensor of the windows"
                .formatted(entries.stream().map(Entry::name).toList()));
      }
    }

    /**
     * Opens the table for random access.
     *
     * @throws IllegalArgumentException if two entries have one name, or a record has a component
     *     without an entry
     * @throws IOException if there is no table, a file is damaged, or a column is missing
     */
    public TableDataset<T> build() throws IOException {
      return build(entries, false);
    }

    private TableDataset<T> build(List<Entry> given, boolean nanIsNull) throws IOException {
      TableSource source = source();
      OpenFiles files = new OpenFiles(openFiles);
      try {
        List<TableFile> tables = source.openAll(files);
        RowPlan<T> plan = plan(tables, given, nanIsNull);
        return new TableDataset<>(source, files, tables, plan, cacheBytes);
      } catch (IOException | RuntimeException | Error failure) {
        files.close();
        throw failure;
      }
    }

    /**
     * Returns the rows as a stream, in the order of the table; each file is a shard. A resumed
     * loader continues at the block where it stopped. In a compressed file it decompresses the
     * bytes before that block again.
     *
     * @throws IllegalArgumentException in the cases of {@link #build}
     * @throws IOException in the cases of {@link #build}
     */
    public IterableDataset<T> stream() throws IOException {
      Streamed<T> table = streamed(entries, false);
      return new TableStream<>(table.source(), table.plan(), table.rows(), table.checksums());
    }

    private RowPlan<T> plan(List<TableFile> tables, List<Entry> given, boolean nanIsNull)
        throws IOException {
      Set<String> names = tables.get(0).columns();
      List<Entry> all = type != null ? ofRecord() : given.isEmpty() ? ofMap(names) : given;
      Set<String> used = new LinkedHashSet<>();
      Set<String> read = new LinkedHashSet<>();
      for (Entry entry : all) {
        if (!used.add(entry.name())) {
          throw new IllegalArgumentException("two entries are called '%s'".formatted(entry.name()));
        }
        read.addAll(entry.columns());
      }
      Map<String, Object> absent = new HashMap<>();
      for (String column : read) {
        Object value = defaults.getOrDefault(column, defaultOfAll);
        if (value != null) {
          absent.put(column, value);
        }
      }
      for (Entry entry : all) {
        for (String column : entry.columns()) {
          boolean number = entry.dtype() != null && !categories.containsKey(column);
          if (number && scaling != null && scaling.find(column) != null && !entry.isReal()) {
            throw new IllegalArgumentException(
                "column '%s' is scaled, but is %s in the tensor '%s': take FLOAT32 or FLOAT64"
                    .formatted(column, entry.dtype(), entry.name()));
          }
          if (number && absent.get(column) instanceof String text) {
            throw new IllegalArgumentException(
                "column '%s' is a number of the tensor '%s', so '%s' cannot stand for nulls"
                    .formatted(column, entry.name(), text));
          }
        }
      }
      RowPlan<T> plan =
          new RowPlan<>(
              all,
              type == null ? null : RecordType.of(type),
              absent,
              categories,
              scaling,
              nanIsNull);
      for (TableFile table : tables) {
        table.check(plan.wanted());
      }
      return plan;
    }

    private static List<Entry> ofMap(Set<String> names) {
      return names.stream().map(name -> new Entry(name, List.of(name), null, false, null)).toList();
    }

    private List<Entry> ofRecord() {
      Map<String, Entry> given = new HashMap<>();
      for (Entry each : entries) {
        if (given.put(each.name(), each) != null) {
          throw new IllegalArgumentException("two entries are called '%s'".formatted(each.name()));
        }
      }
      List<Entry> all = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        Entry entry = given.remove(component.getName());
        Class<?> of = component.getType();
        boolean fits =
            (entry != null && entry.dtype() != null)
                ? of == TensorSource.class
                : JavaValues.isKnown(of);
        if (!fits) {
          throw new IllegalArgumentException(
              "the component '%s' of %s is %s; expected TensorSource for an entry of features, tensor or label, and otherwise a number, boolean, String, List or an array of one of these"
                  .formatted(component.getName(), type.getSimpleName(), of.getSimpleName()));
        }
        all.add(
            entry != null && entry.dtype() != null
                ? entry
                : new Entry(component.getName(), List.of(component.getName()), null, false, of));
      }
      if (!given.isEmpty()) {
        throw new IllegalArgumentException(
            "%s has no component for %s".formatted(type.getSimpleName(), given.keySet()));
      }
      return all;
    }
  }
}
