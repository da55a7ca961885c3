package io.feedline.formats.table;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.internal.Counts;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A scan that assigns rows to series, and checks times and gaps. Not thread-safe. */
final class SeriesScan {

  enum Gaps {
    ERROR,
    SKIP,
    REPEAT,
    FILL
  }

  /** The user's options; {@code step} is a Long, a Duration, or null if any distance is allowed. */
  record Rules(@Nullable String key, @Nullable String time, @Nullable Object step, Gaps gaps) {

    /** Returns the given entries, followed by entries for the key column and the time column. */
    List<RowPlan.Entry> behind(List<RowPlan.Entry> others) {
      List<RowPlan.Entry> entries = new ArrayList<>(others);
      for (String column : Arrays.asList(key, time)) {
        if (column != null) {
          entries.add(new RowPlan.Entry(column, List.of(column), null, false, null));
        }
      }
      return entries;
    }
  }

  private final Rules rules;
  private final TimeColumn times;
  private final boolean together;
  private final int keyPart;
  private final int timePart;
  private final List<RowPlan.Entry> statics;
  private final int[] staticParts;
  private final Map<String, Series> open = new HashMap<>();

  /** The keys whose series have ended; only used if the rows of a key must be adjacent. */
  private final Set<String> ended = new HashSet<>();

  private final List<Series> all = new ArrayList<>();
  private @Nullable Series last;
  private long step;

  /** Creates a scan; {@code together}: a key's rows are adjacent, and only one series is kept. */
  SeriesScan(
      Rules rules,
      TimeColumn times,
      List<RowPlan.Entry> entries,
      List<RowPlan.Entry> statics,
      boolean together) {
    this.rules = rules;
    this.times = times;
    this.together = together;
    this.timePart = rules.time == null ? -1 : entries.size() - 1;
    this.keyPart = rules.key == null ? -1 : entries.size() - (rules.time == null ? 1 : 2);
    this.statics = statics;
    this.staticParts = statics.stream().mapToInt(entries::indexOf).toArray();
  }

  /**
   * Adds a row to the series of its key; after a skipped gap, to a new series of the key. Returns
   * that series. Fails without adding the row if the row's time or static values do not fit the
   * series.
   */
  Series add(RowBlock block, int at, long row) throws FormatException {
    String name = "";
    if (keyPart >= 0) {
      ColumnValues keys = present(block, keyPart, at, rules.key, "key");
      RowPlan.requireNames(rules.key, keys);
      name = RowPlan.name(keys, at);
      if (name.isEmpty()) {
        throw new FormatException("column '%s': the key is empty".formatted(rules.key));
      }
    }
    Series series = last != null && last.key.equals(name) ? last : other(name);
    long now =
        timePart < 0
            ? series == null ? 0 : series.lastTime() + 1
            : times.time(present(block, timePart, at, rules.time, "time"), at);
    int missing = series == null ? 0 : missing(series, now);
    byte[] fixed = staticParts.length == 0 ? null : fixed(block, at);
    if (series != null && fixed != null) {
      requireEqual(series, fixed);
    }
    if (series == null || (missing > 0 && rules.gaps == Gaps.SKIP)) {
      Series begun = new Series(name, row, !together);
      begun.statics = series == null ? fixed : series.statics;
      series = begun;
      missing = 0;
      open.put(name, series);
      if (!together) {
        all.add(series);
      }
    }
    series.add(row, now, missing);
    last = series;
    return series;
  }

  private static ColumnValues present(RowBlock block, int part, int at, String column, String what)
      throws FormatException {
    ColumnValues values = ((RowBlock.Values) block.parts()[part]).column();
    if (values.isNull(at) || values.isList()) {
      String problem = block.failures().get(at);
      throw new FormatException(
          problem != null
              ? problem
              : "column '%s': the %s is %s"
                  .formatted(column, what, values.isList() ? "a list" : "null"));
    }
    return values;
  }

  /** Returns the static columns of a row as bytes; null if the row is broken. */
  private byte @Nullable [] fixed(RowBlock block, int at) {
    if (block.failures().containsKey(at)) {
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int part : staticParts) {
      RowBlock.Tensors rows = (RowBlock.Tensors) block.parts()[part];
      bytes.write(rows.memory(), at * rows.rowBytes(), rows.rowBytes());
    }
    return bytes.toByteArray();
  }

  private void requireEqual(Series series, byte[] fixed) throws FormatException {
    if (series.statics == null) {
      series.statics = fixed;
    }
    int other = Arrays.mismatch(series.statics, fixed);
    for (RowPlan.Entry entry : statics) {
      int bytes = entry.columns().size() * entry.dtype().bytes();
      if (other >= 0 && other < bytes) {
        throw new FormatException(
            "%scolumn '%s' is static, but its value is another than in the row before"
                .formatted(words(series), entry.columns().get(other / entry.dtype().bytes())));
      }
      other -= bytes;
    }
  }

  private @Nullable Series other(String key) throws FormatException {
    if (together) {
      if (last != null) {
        ended.add(last.key);
        open.remove(last.key);
      }
      if (ended.contains(key)) {
        throw new FormatException(
            "key '%s' comes again after other keys: a stream needs the rows of a key together; sort the table by '%s', or read it by build()"
                .formatted(key, rules.key));
      }
    }
    return open.get(key);
  }

  private int missing(Series series, long now) throws FormatException {
    long before = series.lastTime();
    if (now <= before) {
      throw new FormatException(
          now == before
              ? "%sthe time %s comes twice: remove one of the rows.%s"
                  .formatted(words(series), times.words(now), times.hintOfTwice())
              : "%sthe time %s lies before %s, that of the row before: sort the table by %s"
                  .formatted(words(series), times.words(now), times.words(before), order()));
    }
    if (rules.step == null) {
      return 0;
    }
    if (step == 0) {
      step = rules.step instanceof Duration duration ? times.ticks(duration) : (Long) rules.step;
    }
    if (now - before == step) {
      return 0;
    }
    long missing = (now - before) / step - 1;
    boolean even = (now - before) % step == 0 && now - before > 0;
    if (rules.gaps == Gaps.SKIP) {
      return 1;
    }
    if (!even || rules.gaps == Gaps.ERROR) {
      throw new FormatException(
          "%s%s between %s and %s, where a row is expected every %s%s"
              .formatted(
                  words(series),
                  even ? missingWords(missing) : "the distance is " + times.stepWords(now - before),
                  times.words(before),
                  times.words(now),
                  times.stepWords(step),
                  even
                      ? "; skipGaps() leaves out windows across a gap, repeatInGaps() and fillGaps(value) fill it"
                      : "; skipGaps() leaves out windows across it"));
    }
    if (missing + series.length() > Integer.MAX_VALUE - 8) {
      throw new FormatException(
          "%s%d rows would fill the gap between %s and %s: is one of the times wrong?"
              .formatted(words(series), missing, times.words(before), times.words(now)));
    }
    return (int) missing;
  }

  private static String missingWords(long missing) {
    return Counts.of(missing, "row") + (missing == 1 ? " is missing" : " are missing");
  }

  private String words(Series series) {
    return rules.key == null ? "" : "key '%s': ".formatted(series.key);
  }

  private String order() {
    return rules.key == null
        ? "'" + rules.time + "'"
        : "'" + rules.key + "' and '" + rules.time + "'";
  }

  /** Ends the current series, so that the next row begins another series. */
  void end() {
    if (last != null) {
      open.remove(last.key);
      last = null;
    }
  }

  /** Returns all series, in the order of their first rows. */
  Collection<Series> series() {
    return all;
  }
}
