package io.feedline.formats.table;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.ColumnValues.Kind;
import io.feedline.formats.store.internal.samples.TableFile.Block;
import io.feedline.formats.store.internal.samples.TableFile.Need;
import io.feedline.formats.store.internal.samples.TableFile.Wanted;
import io.feedline.internal.RecordType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

final class RowPlan<T> {

  private final String[] names;
  private final List<Entry> entries;
  private final List<Wanted> wanted = new ArrayList<>();
  private final @Nullable RecordType record;
  private final Map<String, Object> defaults;
  private final Map<String, Vocabulary> categories;
  private final @Nullable Scaling scaling;
  private final boolean nanIsNull;

  /**
   * An entry of a sample: a tensor, or a Java value if {@code dtype} is null. If {@code type} is
   * null, a Java value has the type of its column.
   */
  record Entry(
      String name,
      List<String> columns,
      @Nullable DType dtype,
      boolean scalar,
      @Nullable Class<?> type) {

    boolean isReal() {
      return dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
    }

    private Need need(boolean category) {
      if (category) {
        return Need.NAME;
      }
      if (dtype != null) {
        return isReal() ? Need.REAL : Need.WHOLE;
      }
      if (type == null) {
        return Need.ANY;
      }
      return JavaValues.need(type);
    }
  }

  /** Creates a plan; samples are maps if {@code record} is null. */
  RowPlan(
      List<Entry> entries,
      @Nullable RecordType record,
      Map<String, Object> defaults,
      Map<String, Vocabulary> categories,
      @Nullable Scaling scaling,
      boolean nanIsNull) {
    this.entries = List.copyOf(entries);
    this.names = entries.stream().map(Entry::name).toArray(String[]::new);
    this.record = record;
    this.defaults = Map.copyOf(defaults);
    this.categories = Map.copyOf(categories);
    this.scaling = scaling;
    this.nanIsNull = nanIsNull;
    for (Entry entry : entries) {
      for (String column : entry.columns()) {
        Wanted each = wanted(entry, column);
        if (!wanted.contains(each)) {
          wanted.add(each);
        }
      }
    }
  }

  private Wanted wanted(Entry entry, String column) {
    boolean category = categories.containsKey(column) && (entry.dtype != null || isWhole(entry));
    return new Wanted(column, entry.need(category));
  }

  /** Returns whether a Java value gets a name's number in the vocabulary instead of the name. */
  private static boolean isWhole(Entry entry) {
    return entry.type == null || JavaValues.need(entry.type) == Need.WHOLE;
  }

  List<Wanted> wanted() {
    return wanted;
  }

  /** Returns a plan with other entries and another scaling; defaults and categories stay. */
  RowPlan<T> with(List<Entry> others, @Nullable Scaling otherScaling) {
    return new RowPlan<>(others, record, defaults, categories, otherScaling, nanIsNull);
  }

  List<Entry> entries() {
    return entries;
  }

  /** Returns a text that differs between plans that make different samples. */
  String fingerprint() {
    StringBuilder words = new StringBuilder();
    entries.forEach(each -> words.append(each).append(';'));
    new TreeMap<>(defaults).forEach((name, value) -> words.append(name).append('=').append(value));
    new TreeMap<>(categories)
        .forEach((name, each) -> words.append(name).append(each.fingerprint()));
    if (scaling != null) {
      words.append(scaling.fingerprint());
    }
    return words.toString();
  }

  RowBlock rows(Path file, Block block) throws IOException {
    List<ColumnValues> columns;
    try {
      columns = block.read();
    } catch (OutOfMemoryError full) {
      throw FormatException.in(
          file,
          "%s: a block of %d rows does not fit into the heap of %d MiB: give more with -Xmx, or write the file again with smaller row groups"
              .formatted(block.place(0), block.rows(), Runtime.getRuntime().maxMemory() >> 20),
          full);
    }
    Map<Integer, String> failures = new TreeMap<>();
    columns.forEach(column -> column.failures().forEach(failures::putIfAbsent));
    RowBlock.Part[] parts = new RowBlock.Part[entries.size()];
    for (int i = 0; i < parts.length; i++) {
      Entry entry = entries.get(i);
      try {
        parts[i] =
            entry.dtype == null
                ? values(entry, column(entry, 0, columns))
                : tensors(entry, columns, block.rows(), failures);
      } catch (FormatException problem) {
        throw problem.at(file.toString());
      }
    }
    return new RowBlock(file, block.rows(), parts, failures);
  }

  private static String at(String column, String problem) {
    return "column '%s': %s".formatted(column, problem);
  }

  private ColumnValues column(Entry entry, int number, List<ColumnValues> columns) {
    return columns.get(wanted.indexOf(wanted(entry, entry.columns.get(number))));
  }

  @SuppressWarnings("unchecked") // The builder has checked that T is the class of the samples.
  T sample(RowBlock rows, int row, IntFunction<String> place) throws IOException {
    if (!rows.failures().isEmpty()) {
      String problem = rows.failures().get(row);
      if (problem != null) {
        // The place is only found for an error, since finding it may read the block again.
        throw FormatException.in(rows.file(), place.apply(row) + ": " + problem);
      }
    }
    Object[] values = new Object[names.length];
    for (int i = 0; i < values.length; i++) {
      try {
        values[i] = rows.parts()[i].of(row);
      } catch (FormatException problem) {
        throw FormatException.in(
            rows.file(),
            place.apply(row) + ": " + at(entries.get(i).columns.get(0), problem.getMessage()));
      }
    }
    return (T) (record == null ? new RowMap(names, values) : record.create(values));
  }

  private RowBlock.Part values(Entry entry, ColumnValues column) throws FormatException {
    String name = entry.columns.get(0);
    Vocabulary vocabulary = isWhole(entry) ? categories.get(name) : null;
    JavaValues form = new JavaValues(entry.type, defaults.get(name), vocabulary);
    form.check(name, column);
    return new RowBlock.Values(column, form);
  }

  private RowBlock.Part tensors(
      Entry entry, List<ColumnValues> columns, int rows, Map<Integer, String> failures)
      throws FormatException {
    DType dtype = entry.dtype;
    int count = entry.columns.size();
    int rowBytes = count * dtype.bytes();
    if ((long) rows * rowBytes > Integer.MAX_VALUE - 64) {
      throw new FormatException(
          "the tensor '%s' of a block of %d rows takes more than 2 GiB: write the file again with smaller row groups"
              .formatted(entry.name, rows));
    }
    ByteBuffer target = ByteBuffer.allocate(rows * rowBytes).order(ByteOrder.nativeOrder());
    for (int i = 0; i < count; i++) {
      String name = entry.columns.get(i);
      ColumnValues column = column(entry, i, columns);
      if (column.isList()) {
        throw new FormatException(
            at(
                    name,
                    "its rows are lists, which are no part of a tensor; columns(\"%s\") gives"
                        + " arrays")
                .formatted(name));
      }
      Filling filling =
          new Filling(
              target,
              i * dtype.bytes(),
              rowBytes,
              dtype,
              name,
              column,
              defaults.get(name),
              scaling == null ? null : scaling.find(name),
              nanIsNull && column.kind().isNumber() && !column.kind().isWhole(),
              failures);
      Vocabulary vocabulary = categories.get(name);
      if (vocabulary != null) {
        requireNames(name, column);
        filling.fillNumbersOfNames(vocabulary, rows);
      } else if (column.kind().isNumber()) {
        filling.fill(rows);
      } else {
        throw new FormatException(
            at(name, "it has %s, no numbers; categories(\"%s\", vocabulary) numbers texts")
                .formatted(column.kind() == Kind.TEXT ? "texts" : "byte strings", name));
      }
    }
    Shape shape = entry.scalar ? Shape.SCALAR : Shape.of(count);
    return new RowBlock.Tensors(dtype, shape, target.array(), rowBytes);
  }

  static void requireNames(String column, ColumnValues values) throws FormatException {
    if (values.kind() != Kind.TEXT && !values.kind().isWhole()) {
      throw new FormatException(
          at(column, "names are texts or whole numbers, found " + values.kind()));
    }
  }

  static String name(ColumnValues values, int at) {
    if (values.kind() == Kind.TEXT) {
      return (String) values.object(at);
    }
    long value = values.whole(at);
    return values.kind() == Kind.UNSIGNED ? Long.toUnsignedString(value) : Long.toString(value);
  }

  /** The copying of a column into tensor rows; if {@code absent} is null, a null is an error. */
  private record Filling(
      ByteBuffer target,
      int first,
      int rowBytes,
      DType dtype,
      String name,
      ColumnValues column,
      @Nullable Object absent,
      Scaling.@Nullable Column scale,
      boolean nan,
      Map<Integer, String> failures) {

    private void fail(int row, String problem) {
      failures.putIfAbsent(row, at(name, problem));
    }

    void fill(int rows) {
      String isNull = absent == null ? at(name, JavaValues.NULL.formatted(name)) : null;
      boolean nulls = column.hasNulls();
      boolean whole = column.kind().isWhole();
      for (int row = 0; row < rows; row++) {
        if ((nulls && column.isNull(row)) || (nan && Double.isNaN(column.real(row)))) {
          if (absent == null) {
            failures.putIfAbsent(
                row, column.isNull(row) ? isNull : at(name, JavaValues.IS_NAN.formatted(name)));
          } else if (scale != null) {
            put(row, scale.scaled(((Number) absent).doubleValue()));
          } else if (JavaValues.hasWholeType(absent)) {
            put(row, ((Number) absent).longValue(), false);
          } else {
            put(row, ((Number) absent).doubleValue());
          }
        } else if (scale != null) {
          put(row, scale.scaled(column.real(row)));
        } else if (whole) {
          put(row, column.whole(row), column.kind() == Kind.UNSIGNED);
        } else {
          put(row, column.real(row));
        }
      }
    }

    void fillNumbersOfNames(Vocabulary vocabulary, int rows) {
      for (int row = 0; row < rows; row++) {
        if (column.isNull(row) && absent == null) {
          fail(row, JavaValues.NULL.formatted(name));
          continue;
        }
        String text = column.isNull(row) ? absent.toString() : RowPlan.name(column, row);
        int number = vocabulary.find(text);
        if (number < 0) {
          fail(row, vocabulary.problem(text));
        } else {
          put(row, number, false);
        }
      }
    }

    private void put(int row, long value, boolean unsigned) {
      int at = row * rowBytes + first;
      boolean large = unsigned && value < 0;
      switch (dtype) {
        case FLOAT32 -> target.putFloat(at, large ? (float) column.real(row) : (float) value);
        case FLOAT64 -> target.putDouble(at, large ? column.real(row) : (double) value);
        case INT64 -> {
          if (large) {
            fail(row, Long.toUnsignedString(value) + " does not fit into INT64");
          }
          target.putLong(at, value);
        }
        default -> {
          if (large || value != (int) value) {
            fail(row, (large ? Long.toUnsignedString(value) : value) + " does not fit into INT32");
          }
          target.putInt(at, (int) value);
        }
      }
    }

    private void put(int row, double value) {
      int at = row * rowBytes + first;
      switch (dtype) {
        case FLOAT32 -> target.putFloat(at, (float) value);
        case FLOAT64 -> target.putDouble(at, value);
        default -> {
          if (!JavaValues.isWhole(value)) {
            fail(
                row,
                "%s is not a whole number; tensor(name, DType.FLOAT32, ...) has fractions"
                    .formatted(value));
          } else {
            put(row, (long) value, false);
          }
        }
      }
    }
  }
}
