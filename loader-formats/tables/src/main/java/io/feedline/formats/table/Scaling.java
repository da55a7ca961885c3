package io.feedline.formats.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.internal.Digest;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The center and the scale of columns: a tensor has {@code (value - center) / scale}. A scaling is
 * fitted on the training part, saved beside the model, and loaded where the model is used.
 *
 * <pre>{@code
 * List<Windows> parts = windows.splitAt(Instant.parse("2024-01-01T00:00:00Z"));
 * Scaling scaling = Scaling.standard(parts.get(0), "load", "temperature");
 * scaling.save(Path.of("scaling.json"));
 * Windows train = parts.get(0).scaled(scaling);
 * Windows val = parts.get(1).scaled(scaling);
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class Scaling {

  private static final long MAX_FILE_BYTES = 1 << 24;

  private final Map<String, Column> columns;

  /**
   * The center and the scale of a column.
   *
   * @param center the value that becomes 0
   * @param scale the distance from the center that becomes 1
   */
  public record Column(double center, double scale) {

    /** Checks that both numbers are finite, and the scale is not 0. */
    public Column {
      if (!Double.isFinite(center) || !Double.isFinite(scale) || scale == 0) {
        throw new IllegalArgumentException(
            "center and scale must be finite and the scale not 0, were %s and %s"
                .formatted(center, scale));
      }
    }

    /** Returns {@code (value - center) / scale}. */
    public double scaled(double value) {
      return (value - center) / scale;
    }

    /** Returns {@code value * scale + center}: a forecast in the units of the column. */
    public double restored(double value) {
      return value * scale + center;
    }
  }

  private Scaling(Map<String, Column> columns) {
    this.columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
  }

  /** Returns a scaling of given numbers, by the names of the columns. */
  public static Scaling of(Map<String, Column> columns) {
    return new Scaling(columns);
  }

  /**
   * Returns a scaling by the mean and the standard deviation of columns, as in scikit-learn's
   * {@code StandardScaler}. The variance is divided by n, and the scale is 1 if all values are
   * equal. Reads each row once that belongs to a window of the part.
   *
   * @param part the training part: rows of other parts are not read
   * @throws IOException if a row cannot be read, or has no number
   */
  public static Scaling standard(Windows part, String... columns) throws IOException {
    return fit(part, Moments::standard, columns);
  }

  /**
   * Returns a scaling by the minimum and the range of columns, so that values become 0 to 1, as in
   * scikit-learn's {@code MinMaxScaler}. Reads each row once that belongs to a window of the part.
   *
   * @param part the training part: rows of other parts are not read
   * @throws IOException if a row cannot be read, or has no number
   */
  public static Scaling minMax(Windows part, String... columns) throws IOException {
    return fit(part, Moments::range, columns);
  }

  private static Scaling fit(
      Windows part, java.util.function.Function<Moments, Column> form, String... columns)
      throws IOException {
    if (columns.length == 0) {
      throw new IllegalArgumentException("a scaling needs one column or more");
    }
    Map<String, Moments> moments = new LinkedHashMap<>();
    for (String column : columns) {
      moments.put(column, new Moments());
    }
    Moments[] inOrder = moments.values().toArray(Moments[]::new);
    part.forEachRow(
        moments.keySet().toArray(String[]::new),
        row -> {
          for (Moments each : inOrder) {
            each.add(row.getDouble());
          }
        });
    Map<String, Column> fitted = new LinkedHashMap<>();
    moments.forEach((name, each) -> fitted.put(name, each.column(name, form)));
    return new Scaling(fitted);
  }

  private static final class Moments {
    private long count;
    private double mean;
    private double squares;
    private double least = Double.POSITIVE_INFINITY;
    private double most = Double.NEGATIVE_INFINITY;

    void add(double value) {
      double distance = value - mean;
      mean += distance / ++count;
      squares += distance * (value - mean);
      least = Math.min(least, value);
      most = Math.max(most, value);
    }

    Column standard() {
      double deviation = Math.sqrt(squares / count);
      return new Column(mean, deviation == 0 ? 1 : deviation);
    }

    Column range() {
      return new Column(least, most == least ? 1 : most - least);
    }

    Column column(String name, java.util.function.Function<Moments, Column> form) {
      if (!Double.isFinite(mean) || !Double.isFinite(squares)) {
        throw new IllegalArgumentException(
            "column '%s' has infinite values, which have no scale".formatted(name));
      }
      return form.apply(this);
    }
  }

  /** Reads a scaling from a file that {@link #save} has written. */
  public static Scaling load(Path file) throws IOException {
    String text;
    try (OpenFiles files = new OpenFiles(1)) {
      text = new String(files.readAll(file, MAX_FILE_BYTES), UTF_8);
    }
    try {
      JsonMembers json = JsonMembers.read("its JSON", text).object("columns");
      Map<String, Column> columns = new LinkedHashMap<>();
      for (String name : json.members().keySet()) {
        JsonMembers column = json.object(name);
        columns.put(name, new Column(number(column, "center"), number(column, "scale")));
      }
      return new Scaling(columns);
    } catch (IllegalArgumentException damaged) {
      throw FormatException.in(file, "this is not a scaling: " + damaged.getMessage(), damaged);
    }
  }

  private static double number(JsonMembers column, String name) {
    OptionalDouble number = column.signedOrNull(name);
    return number.orElseThrow(() -> new IllegalArgumentException("'" + name + "' is null"));
  }

  /** Writes a JSON file: {@code {"columns": {"load": {"center": 51.2, "scale": 4.5}}}}. */
  public void save(Path file) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    columns.forEach(
        (name, column) -> {
          Map<String, Object> numbers = new LinkedHashMap<>();
          numbers.put("center", column.center());
          numbers.put("scale", column.scale());
          members.put(name, numbers);
        });
    Files.writeString(file, Json.write(Map.of("columns", members)));
  }

  /** Returns the numbers by the name of the column. */
  public Map<String, Column> columns() {
    return columns;
  }

  /** Returns a column's center and scale; fails if the scaling does not have the column. */
  public Column column(String name) {
    Column column = columns.get(name);
    if (column == null) {
      throw new IllegalArgumentException(
          "the scaling has no column '%s'; it has %s".formatted(name, columns.keySet()));
    }
    return column;
  }

  /** Returns a column's center and scale; null if the scaling does not have the column. */
  @Nullable Column find(String name) {
    return columns.get(name);
  }

  /** Returns a text that changes when a center or a scale changes. */
  String fingerprint() {
    return Digest.of(new TreeMap<>(columns).toString());
  }

  @Override
  public String toString() {
    return "Scaling" + columns;
  }
}
