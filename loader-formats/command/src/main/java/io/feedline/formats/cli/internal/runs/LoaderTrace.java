package io.feedline.formats.cli.internal.runs;

import io.feedline.formats.cli.internal.runs.RecordingTrace.Seen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one loader in a trace: its epochs; its consumer, with the waits, what it computes
 * between two batches, and stalls; each device that is copied to; each worker, with its samples and
 * their stages, batches that it put together, and the times without work. Without workers, samples
 * are in the consumer's row.
 *
 * <p>Events of work and of copies come when it is over and say how long it took: each begins at the
 * end of the one before in its row at the earliest.
 */
final class LoaderTrace {

  private static final int EPOCHS = 1;
  private static final int CONSUMER = 2;
  private static final int FIRST_WORKER = 10_000;

  private final TraceRows rows;
  private final String workerPrefix;

  /** The end of what is done in each row. */
  private final Map<Integer, Long> ends = new HashMap<>();

  /** A stage of a sample. */
  private record Stage(Seen seen, long from) {}

  /** The stages of the sample that is made in each row. */
  private final Map<Integer, List<Stage>> samples = new HashMap<>();

  /** The last batch that the consumer took; null: none. */
  private @Nullable Seen taken;

  private boolean hasWork;

  LoaderTrace(TraceRows rows, String loader) {
    this.rows = rows;
    this.workerPrefix = "feedline-" + loader + "-";
  }

  /** Writes the loader's events, which are in the order in which they ended. */
  void write(List<Seen> events) throws IOException {
    rows.row("epochs", EPOCHS);
    rows.row("consumer", CONSUMER);
    hasWork = events.stream().anyMatch(seen -> seen.type().equals("Work"));
    for (Seen seen : events) {
      switch (seen.type()) {
        case "Epoch" -> writeEpoch(seen);
        case "Batch" -> writeBatch(seen);
        case "Stall" -> writeStall(seen);
        case "Sample" -> writeSlowSample(seen);
        case "Work" -> writeWork(seen);
        case "Copy" -> writeCopy(seen);
        default -> {
          // Of a later version.
        }
      }
    }
    for (int row : List.copyOf(samples.keySet())) {
      writeSample(row);
    }
  }

  private void writeEpoch(Seen seen) throws IOException {
    String name = "epoch " + seen.event().getLong("epoch");
    rows.span(EPOCHS, name, seen.from(), seen.until(), seen.args("batches", "samples"));
  }

  private void writeBatch(Seen seen) throws IOException {
    if (taken != null && taken.until() <= seen.from()) {
      boolean sameEpoch = taken.event().getLong("epoch") == seen.event().getLong("epoch");
      String what = sameEpoch ? "computes" : "between epochs";
      rows.span(CONSUMER, what, taken.until(), seen.from(), taken.args("batch", "epoch"));
    }
    taken = seen;
    Map<String, Object> args = seen.args("batch", "epoch", "samples", "ready");
    rows.span(CONSUMER, "waits", seen.from(), seen.until(), args);
  }

  private void writeStall(Seen seen) throws IOException {
    String name = "stall: " + seen.event().getString("cause");
    Map<String, Object> args = seen.args("cause", "stage", "batch", "epoch", "index", "detail");
    rows.instant(CONSUMER, name, seen.until(), args);
  }

  /** Shows a slow sample where not all are shown. */
  private void writeSlowSample(Seen seen) throws IOException {
    if (!hasWork) {
      String name = "sample " + seen.event().getLong("index");
      Map<String, Object> args = seen.args("batch", "epoch", "description", "stage");
      rows.span(rowOf(seen.thread()), name, seen.from(), seen.until(), args);
    }
  }

  private void writeCopy(Seen seen) throws IOException {
    int row = rows.row("copies to " + seen.event().getString("device"));
    long begun = seen.until() - seen.event().getLong("sinceBegun");
    long from = Math.max(begun, ends.getOrDefault(row, begun));
    long until = from + seen.event().getLong("took");
    ends.put(row, until);
    String name =
        "batch %d of epoch %d, %d bytes"
            .formatted(
                seen.event().getLong("batch"),
                seen.event().getLong("epoch"),
                seen.event().getLong("bytes"));
    rows.span(row, name, from, until, Map.of());
  }

  // ---- workers --------------------------------------------------------------------------------

  private int rowOf(String thread) throws IOException {
    String number = thread.startsWith(workerPrefix) ? thread.substring(workerPrefix.length()) : "";
    return number.matches("\\d{1,8}")
        ? rows.row("worker " + number, FIRST_WORKER + Integer.parseInt(number))
        : CONSUMER;
  }

  private void writeWork(Seen seen) throws IOException {
    int row = rowOf(seen.thread());
    long from = Math.max(seen.began(), ends.getOrDefault(row, seen.began()));
    ends.put(row, seen.until());
    List<Stage> stages = samples.computeIfAbsent(row, made -> new ArrayList<>());
    if (!stages.isEmpty() && !sameSample(stages.get(0).seen(), seen)) {
      writeSample(row);
    }
    if (seen.event().getInt("row") >= 0) {
      stages.add(new Stage(seen, from));
    } else {
      String what = seen.event().getString("stage");
      boolean waits = seen.event().getLong("batch") < 0;
      rows.span(row, what, from, seen.until(), waits ? Map.of() : seen.args("batch", "epoch"));
    }
  }

  private static boolean sameSample(Seen one, Seen other) {
    return one.args("epoch", "batch", "row").equals(other.args("epoch", "batch", "row"));
  }

  /** Writes the sample that is made in a row, with its stages. */
  private void writeSample(int row) throws IOException {
    List<Stage> stages = samples.get(row);
    if (stages.isEmpty()) {
      return;
    }
    Seen first = stages.get(0).seen();
    long until = stages.get(stages.size() - 1).seen().until();
    String name = "sample " + first.event().getLong("index");
    rows.span(row, name, stages.get(0).from(), until, first.args("batch", "epoch"));
    for (Stage stage : stages) {
      String what = stage.seen().event().getString("stage");
      rows.span(row, what, stage.from(), stage.seen().until(), Map.of());
    }
    stages.clear();
  }
}
