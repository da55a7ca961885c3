package io.feedline.formats.table;

import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.TableColumn;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.samples.TableSchema;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.TableFormat;
import io.feedline.internal.Counts;
import io.feedline.internal.Digest;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Arrays as a table: an array (n) is a column, and an array (n, k) is k columns. Immutable. */
final class ArrayTables implements TableFormat, TableFile, TableSchema<ArrayTables.Column> {

  static final Path NAME = Path.of("arrays");
  private static final int BLOCK_ROWS = 1 << 14;

  private final Map<String, Tensor> arrays;
  private final Map<String, Column> columns = new LinkedHashMap<>();
  private final int rows;

  record Column(String column, Tensor array, int number, int step) implements TableColumn {
    @Override
    public List<String> path() {
      return List.of(column);
    }

    @Override
    public Kind kind() {
      return Kind.OTHER;
    }

    @Override
    public String type() {
      return array.dtype().toString();
    }

    @Override
    public boolean isRepeated() {
      return false;
    }
  }

  ArrayTables(Map<String, Tensor> arrays) {
    this.arrays = Collections.unmodifiableMap(new LinkedHashMap<>(arrays));
    if (arrays.isEmpty()) {
      throw new IllegalArgumentException("windows need one array or more");
    }
    Tensor first = this.arrays.values().iterator().next();
    this.arrays.forEach(
        (name, array) -> {
          int rank = array.shape().rank();
          if ((rank != 1 && rank != 2) || array.shape().length(0) != first.shape().length(0)) {
            throw new IllegalArgumentException(
                "the array '%s' is %s; expected (n) or (n, k), with the n of all arrays"
                    .formatted(name, array.shape()));
          }
          for (String column : columns(name)) {
            int number = columns(name).indexOf(column);
            columns.put(column, new Column(column, array, number, columns(name).size()));
          }
        });
    this.rows = Math.toIntExact(first.shape().length(0));
  }

  /** Replaces the name of an array (n, k) by the names of its k columns; keeps other names. */
  List<String> columns(String... names) {
    List<String> found = new ArrayList<>();
    for (String name : names) {
      Tensor array = arrays.get(name);
      if (array == null || array.shape().rank() == 1) {
        found.add(name);
      } else {
        int count = Math.toIntExact(array.shape().length(1));
        IntStream.range(0, count).forEach(i -> found.add(name + "." + i));
      }
    }
    return found;
  }

  @Override
  public String name() {
    return "arrays";
  }

  @Override
  public FilesOfFormat names() {
    throw new UnsupportedOperationException("arrays are not found by the names of files");
  }

  @Override
  public TableFile open(OpenFiles files, Path file, TextOptions options) {
    return this;
  }

  @Override
  public Path file() {
    return NAME;
  }

  @Override
  public Map<String, Column> leaves() {
    return Collections.unmodifiableMap(columns);
  }

  @Override
  public String text(String key) {
    return null;
  }

  @Override
  public TableSchema<?> schema() {
    return this;
  }

  @Override
  public Set<String> columns() {
    return Collections.unmodifiableSet(columns.keySet());
  }

  @Override
  public long checksum() {
    Map<String, String> words = new TreeMap<>();
    arrays.forEach((name, array) -> words.put(name, array.dtype() + " " + array.shape()));
    return Digest.of(words.toString()).hashCode();
  }

  @Override
  public long[] rows() {
    return new long[] {rows};
  }

  @Override
  public String place(int group, int row) {
    return "row " + row;
  }

  @Override
  public void check(List<Wanted> wanted) throws FormatException {
    for (Wanted each : wanted) {
      if (!columns.containsKey(each.name())) {
        throw FormatException.in(
            NAME, "there is no column '%s'; there are %s".formatted(each.name(), columns()));
      }
    }
  }

  @Override
  public List<? extends Block> blocks(int group, List<Wanted> wanted) throws FormatException {
    check(wanted);
    return IntStream.range(0, (int) Counts.ceilDiv(rows, BLOCK_ROWS))
        .mapToObj(number -> new Rows(number * BLOCK_ROWS, wanted))
        .toList();
  }

  private final class Rows implements Block {
    private final int first;
    private final List<Wanted> wanted;

    Rows(int first, List<Wanted> wanted) {
      this.first = first;
      this.wanted = wanted;
    }

    @Override
    public int rows() {
      return Math.min(BLOCK_ROWS, rows - first);
    }

    @Override
    public String place(int row) {
      return "row " + (first + row);
    }

    @Override
    public List<ColumnValues> read() {
      return wanted.stream().map(each -> values(columns.get(each.name()))).toList();
    }

    private ColumnValues values(Column column) {
      DType dtype = column.array().dtype();
      ByteBuffer bytes = column.array().bytes();
      boolean fraction = dtype.name().contains("FLOAT");
      ColumnValues values =
          new ColumnValues(
              fraction
                  ? dtype == DType.FLOAT64 ? ColumnValues.Kind.DOUBLE : ColumnValues.Kind.FLOAT
                  : dtype == DType.BOOL ? ColumnValues.Kind.BOOL : ColumnValues.Kind.WHOLE,
              rows());
      for (int row = 0; row < rows(); row++) {
        int at = (first + row) * column.step() + column.number();
        switch (dtype) {
          case FLOAT32 -> values.set(row, (double) bytes.getFloat(Float.BYTES * at));
          case FLOAT64 -> values.set(row, bytes.getDouble(Double.BYTES * at));
          case INT64 -> values.set(row, bytes.getLong(Long.BYTES * at));
          case INT32 -> values.set(row, (long) bytes.getInt(Integer.BYTES * at));
          default -> {
            Number value =
                column.array().shape().rank() == 1
                    ? column.array().get(first + row)
                    : column.array().get(first + row, column.number());
            if (fraction) {
              values.set(row, value.doubleValue());
            } else {
              values.set(row, value.longValue());
            }
          }
        }
      }
      return values;
    }
  }
}
