package io.feedline.formats.cli.internal.runs;

import io.feedline.internal.Counts;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The trace of a flight recording: a process for each loader, and one for events of other kinds.
 */
final class RecordingTrace {

  private static final String PREFIX = "io.feedline.";

  /** An event of the recording; all times are in nanoseconds. */
  record Seen(RecordedEvent event, long from, long until) {

    private static Seen of(RecordedEvent event) {
      return new Seen(event, nanos(event.getStartTime()), nanos(event.getEndTime()));
    }

    private static long nanos(Instant time) {
      return 1_000_000_000 * time.getEpochSecond() + time.getNano();
    }

    /** Returns its name, without the prefix if it is one of Feedline's. */
    String type() {
      String name = event.getEventType().getName();
      return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    String thread() {
      boolean known = event.getThread() != null && event.getThread().getJavaName() != null;
      return known ? event.getThread().getJavaName() : "";
    }

    /** Returns when the event's work began, for an event that comes when the work is over. */
    long began() {
      return event.hasField("took") ? until - event.getLong("took") : from;
    }

    /** Returns fields by their names, as arguments of the trace. */
    Map<String, Object> args(String... names) {
      Map<String, Object> args = new LinkedHashMap<>();
      for (String name : names) {
        args.put(name, event.getValue(name));
      }
      return args;
    }
  }

  private final Map<String, List<Seen>> byLoader = new TreeMap<>();
  private final List<Seen> others = new ArrayList<>();
  private long origin = Long.MAX_VALUE;

  private RecordingTrace() {}

  /**
   * Reads a recording.
   *
   * @param others the names of further events to show
   */
  static RecordingTrace read(Path recording, List<String> others) throws IOException {
    RecordingTrace trace = new RecordingTrace();
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        trace.add(file.readEvent(), others);
      }
    }
    // A recording has the events of a thread together, not those of a loader in their order.
    trace.byLoader.values().forEach(seen -> seen.sort(Comparator.comparingLong(Seen::until)));
    return trace;
  }

  private void add(RecordedEvent event, List<String> wanted) {
    Seen seen = Seen.of(event);
    if (event.getEventType().getName().startsWith(PREFIX)) {
      byLoader.computeIfAbsent(event.getString("loader"), name -> new ArrayList<>()).add(seen);
    } else if (wanted.contains(seen.type())) {
      others.add(seen);
    } else {
      return;
    }
    origin = Math.min(origin, Math.min(seen.from(), seen.began()));
  }

  /** Returns whether there is nothing of a loader in it. */
  boolean isEmpty() {
    return byLoader.isEmpty();
  }

  /** Returns those of the names for which there are no events. */
  List<String> absent(List<String> wanted) {
    return wanted.stream()
        .filter(name -> others.stream().noneMatch(seen -> seen.type().equals(name)))
        .toList();
  }

  /** For example {@code 300 events of 2 loaders}; and that there are no samples, if so. */
  String inWords() {
    List<Seen> all = byLoader.values().stream().flatMap(List::stream).toList();
    return "%s of %s%s"
        .formatted(
            Counts.of(all.size(), "event"),
            Counts.of(byLoader.size(), "loader"),
            all.stream().anyMatch(seen -> seen.type().equals("Work"))
                ? ""
                : "; of the workers only slow samples: record with io.feedline.Work, see --help");
  }

  /** Writes the trace. */
  void writeTo(Writer out) throws IOException {
    int process = 1;
    for (Map.Entry<String, List<Seen>> each : byLoader.entrySet()) {
      String loader = each.getKey();
      TraceRows rows = new TraceRows(out, origin, process++, "feedline " + loader);
      new LoaderTrace(rows, loader).write(each.getValue());
    }
    if (!others.isEmpty()) {
      TraceRows rows = new TraceRows(out, origin, process, "other events");
      for (Seen seen : others) {
        String label = seen.event().getEventType().getLabel();
        int row = rows.row((label + " " + seen.thread()).strip());
        rows.span(row, label, seen.from(), seen.until(), Map.of());
      }
    }
    out.write("\n]\n");
  }
}
