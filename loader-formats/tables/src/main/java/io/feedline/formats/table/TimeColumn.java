package io.feedline.formats.table;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.ColumnValues.Kind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import org.jspecify.annotations.Nullable;

final class TimeColumn {

  /** The format of times in texts: ISO 8601 with a T or a space, with or without an offset. */
  private static final DateTimeFormatter TEXT =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendPattern("['T'][' ']")
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HH:mm", "Z")
          .optionalEnd()
          .toFormatter();

  private static final Duration MICROSECOND = Duration.ofNanos(1000);

  private final String name;

  /** The unit of the column's numbers, which count from 1970; null if unknown. */
  private @Nullable Duration unit;

  /** True if the times in texts have an offset from UTC; null before the first text. */
  private @Nullable Boolean offsets;

  TimeColumn(String name, @Nullable Duration unit) {
    this.name = name;
    this.unit = unit;
  }

  long time(ColumnValues column, int row) throws FormatException {
    if (column.kind() == Kind.WHOLE) {
      return column.whole(row);
    }
    if (column.kind() != Kind.TEXT) {
      throw new FormatException(
          "column '%s': times are whole numbers, timestamps or texts of ISO 8601, found %s"
              .formatted(name, column.kind()));
    }
    return time((String) column.object(row));
  }

  private long time(String text) throws FormatException {
    try {
      if (offsets == null && text.matches("-?[0-9]{1,18}")) {
        return Long.parseLong(text);
      }
      TemporalAccessor parsed = TEXT.parse(text);
      ZoneOffset offset = parsed.query(TemporalQueries.offset());
      if (offsets == null) {
        offsets = offset != null;
        unit = MICROSECOND;
      } else if (offsets != (offset != null)) {
        throw new FormatException(
            "column '%s': '%s' has %s time zone, and rows before it have %s; write all times in UTC"
                .formatted(
                    name, text, offset == null ? "no" : "a", offset == null ? "one" : "none"));
      }
      LocalTime time = parsed.query(TemporalQueries.localTime());
      LocalDateTime local =
          LocalDateTime.of(
              parsed.query(TemporalQueries.localDate()), time == null ? LocalTime.MIDNIGHT : time);
      return ticks(local.toInstant(offset == null ? ZoneOffset.UTC : offset));
    } catch (DateTimeException | NumberFormatException none) {
      throw new FormatException(
          "column '%s': '%s' is not a time; expected a whole number or ISO 8601, such as 2024-05-01T12:00:00Z"
              .formatted(name, text),
          none);
    }
  }

  /** Returns an instant in the column's unit, rounded up; fails if the unit is unknown. */
  long ticks(Instant instant) {
    Duration since = Duration.between(Instant.EPOCH, instant);
    long ticks = since.dividedBy(unit("Instant"));
    return unit.multipliedBy(ticks).compareTo(since) < 0 ? ticks + 1 : ticks;
  }

  /** Returns a duration in the column's unit; fails if it is not a multiple of the unit. */
  long ticks(Duration duration) {
    long ticks = duration.dividedBy(unit("Duration"));
    if (!unit.multipliedBy(ticks).equals(duration)) {
      throw new IllegalArgumentException(
          "column '%s' counts %s, of which %s is no multiple".formatted(name, unit, duration));
    }
    return ticks;
  }

  private Duration unit(String type) {
    if (unit == null) {
      throw new IllegalArgumentException(
          "column '%s' has whole numbers without a unit, so %s does not fit it: give a long"
              .formatted(name, type));
    }
    return unit;
  }

  String words(long time) {
    try {
      return unit == null ? Long.toString(time) : instant(time).toString();
    } catch (ArithmeticException | DateTimeException tooFar) {
      return Long.toString(time);
    }
  }

  private Instant instant(long time) {
    long nanos = unit.toNanos();
    long perSecond = 1_000_000_000L / Math.min(nanos, 1_000_000_000L);
    return nanos >= 1_000_000_000L
        ? Instant.ofEpochSecond(Math.multiplyExact(time, unit.toSeconds()))
        : Instant.ofEpochSecond(
            Math.floorDiv(time, perSecond), Math.floorMod(time, perSecond) * nanos);
  }

  String stepWords(long step) {
    return unit == null ? Long.toString(step) : unit.multipliedBy(step).toString();
  }

  /** Returns a hint at the likely cause of a repeated time; empty if the cause is unknown. */
  String hintOfTwice() {
    return (unit == null || Boolean.TRUE.equals(offsets))
        ? ""
        : " If these are local times, the hour that repeats at the end of summer time does that: write UTC.";
  }
}
