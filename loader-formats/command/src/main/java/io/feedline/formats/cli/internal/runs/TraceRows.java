package io.feedline.formats.cli.internal.runs;

import io.feedline.internal.Json;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rows of one process in a file in <a
 * href="https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU">Chrome's
 * trace event format</a>, an array of events. Times in the file are microseconds; here they are
 * nanoseconds.
 */
final class TraceRows {

  private static final int FIRST_NAMED = 10;

  private final Writer out;
  private final long origin;
  private final int process;
  private final Map<String, Integer> rows = new HashMap<>();

  /**
   * A further process of a file.
   *
   * @param origin the time that is 0 in the file
   * @param process its number, from 1 on
   */
  TraceRows(Writer out, long origin, int process, String name) throws IOException {
    this.out = out;
    this.origin = origin;
    this.process = process;
    out.write(process == 1 ? "[\n" : ",\n");
    out.write(Json.write(event("process_name", "M", 0, Map.of("name", name))));
  }

  /** Returns a row by its name, which has the number where it is new. */
  int row(String name, int number) throws IOException {
    Integer known = rows.putIfAbsent(name, number);
    if (known == null) {
      write(event("thread_name", "M", number, Map.of("name", name)));
      write(event("thread_sort_index", "M", number, Map.of("sort_index", number)));
    }
    return known == null ? number : known;
  }

  /** Returns a row by its name, which comes after the rows that were made before it. */
  int row(String name) throws IOException {
    return row(name, FIRST_NAMED + rows.size());
  }

  /** Writes what lasted. */
  void span(int row, String name, long from, long until, Map<String, ?> args) throws IOException {
    Map<String, Object> event = event(name, "X", row, args);
    event.put("ts", micros(from - origin));
    event.put("dur", micros(until - from));
    write(event);
  }

  /** Writes what happened at one time. */
  void instant(int row, String name, long at, Map<String, ?> args) throws IOException {
    Map<String, Object> event = event(name, "i", row, args);
    event.put("ts", micros(at - origin));
    event.put("s", "t");
    write(event);
  }

  private Map<String, Object> event(String name, String phase, int row, Map<String, ?> args) {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("name", name);
    event.put("ph", phase);
    event.put("pid", process);
    event.put("tid", row);
    if (!args.isEmpty()) {
      event.put("args", args);
    }
    return event;
  }

  private void write(Map<String, Object> event) throws IOException {
    out.write(",\n");
    out.write(Json.write(event));
  }

  private static BigDecimal micros(long nanos) {
    return BigDecimal.valueOf(nanos, 3);
  }
}
