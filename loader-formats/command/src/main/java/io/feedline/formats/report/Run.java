package io.feedline.formats.report;

import io.feedline.internal.JsonMembers;
import io.feedline.stats.Stalls;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A run, as its record tells it: what of that is shown in words and tables. Times are in seconds.
 *
 * @param json the whole record, for the charts
 */
record Run(
    Map<String, Object> json,
    String name,
    String created,
    Map<String, Object> settings,
    Map<String, Object> loader,
    Map<String, Object> machine,
    double hostBytes,
    Epoch total,
    List<Epoch> epochs,
    Histogram waits,
    Optional<Level> level,
    double stallThreshold,
    List<Cause> causes,
    List<Stall> longestStalls,
    Steps steps) {

  private static final String KIND = "feedline run";
  private static final long VERSION = 1;

  /** The figures of an epoch, or of all. */
  record Epoch(
      OptionalDouble number,
      double batches,
      double samples,
      double failures,
      double tolerated,
      double bytesRead,
      double elapsed,
      Waits waits,
      List<Stage> stages,
      double workersOccupancy,
      double waitedForRoom,
      double waitedForEpoch,
      double waitedToRead,
      double contention,
      double slotsInUse,
      double readiness) {

    static Epoch of(JsonMembers json) {
      return new Epoch(
          json.numberOrNull("epoch"),
          json.number("batches"),
          json.number("samples"),
          json.number("failures"),
          json.number("tolerated"),
          json.number("bytes_read"),
          json.number("elapsed_seconds"),
          Waits.of(json.object("waits")),
          json.objects("stages", Stage::of),
          json.number("workers_occupancy"),
          json.number("workers_waited_for_room_seconds"),
          json.number("workers_waited_for_epoch_seconds"),
          json.number("workers_waited_to_read_seconds"),
          json.numberIfPresent("workers_contention").orElse(0),
          json.number("slots_in_use"),
          json.number("readiness"));
    }

    double samplesPerSecond() {
      return elapsed == 0 ? 0 : samples / elapsed;
    }

    /** The share of the time that the consumer waited. */
    double waitingShare() {
      return elapsed == 0 ? 0 : waits.total() / elapsed;
    }
  }

  /** The waits of the consumer. */
  record Waits(
      double count, double total, double p50, double p90, double p99, double p999, double max) {

    static Waits of(JsonMembers json) {
      return new Waits(
          json.number("count"),
          json.number("total_seconds"),
          json.number("p50_seconds"),
          json.number("p90_seconds"),
          json.number("p99_seconds"),
          json.number("p999_seconds"),
          json.number("max_seconds"));
    }
  }

  /** The work of the workers in a stage. */
  record Stage(String name, double elapsed, double cpu, double queued) {

    static Stage of(JsonMembers json) {
      return new Stage(
          json.string("name"),
          json.number("elapsed_seconds"),
          json.number("cpu_seconds"),
          json.numberIfPresent("queued_seconds").orElse(0));
    }

    /** The time without that in the queue for a processor. */
    double own() {
      return elapsed - queued;
    }

    /** The time in which it waited for something other than a processor. */
    double waiting() {
      return Math.max(0, elapsed - queued - cpu);
    }
  }

  /** The number of waits by length. */
  record Histogram(double[] upTo, double[] count) {

    static Histogram of(JsonMembers json) {
      double[] upTo = json.numbers("up_to_seconds");
      return new Histogram(upTo, json.numbers("count", upTo.length));
    }

    /**
     * Returns the number of waits longer than one length and no longer than another, to within a
     * bin.
     */
    double between(double above, double most) {
      double sum = 0;
      for (int i = 0; i < upTo.length; i++) {
        sum += upTo[i] > above && upTo[i] <= most ? count[i] : 0;
      }
      return sum;
    }
  }

  /** The degree to which a service level was kept. */
  record Level(
      double batchSize,
      double step,
      boolean measured,
      double batches,
      double inTime,
      boolean kept,
      String verdict) {

    static Level of(JsonMembers json) {
      return new Level(
          json.number("batch_size"),
          json.number("step_seconds"),
          json.flag("step_measured"),
          json.number("batches"),
          json.number("in_time"),
          json.flag("kept"),
          json.string("verdict"));
    }
  }

  /** A cause of stalls. */
  record Cause(String name, double count, double waited) {

    static Cause of(JsonMembers json) {
      return new Cause(json.string("cause"), json.number("count"), json.number("waited_seconds"));
    }

    boolean is(Stalls.Stall.Cause cause) {
      return name.equals(cause.toString());
    }
  }

  /** A long wait. */
  record Stall(
      String cause,
      String stage,
      double epoch,
      double batch,
      double waited,
      OptionalDouble index,
      String detail) {

    static Stall of(JsonMembers json) {
      return new Stall(
          json.string("cause"),
          json.string("stage"),
          json.number("epoch"),
          json.number("batch"),
          json.number("waited_seconds"),
          json.numberOrNull("index"),
          json.string("detail"));
    }
  }

  /** The steps, neighbors together where there are many; see RUN.md of loader-core. */
  record Steps(
      double[] first,
      double[] count,
      double[] at,
      double[] samples,
      double[] waited,
      double[] waitedMax,
      double[] waitedMaxEpoch,
      double[] waitedMaxBatch,
      double[] computeCount,
      double[] compute,
      double[] computeMax,
      double[] work,
      double[] readyMean,
      double[] readyMin,
      double[] slotsMean,
      double[] slotsMax) {

    static Steps of(JsonMembers json) {
      double[] first = json.numbers("first");
      int n = first.length;
      return new Steps(
          first,
          json.numbers("count", n),
          json.numbers("at_seconds", n),
          json.numbers("samples", n),
          json.numbers("waited_seconds", n),
          json.numbers("waited_max_seconds", n),
          json.numbers("waited_max_epoch", n),
          json.numbers("waited_max_batch", n),
          json.numbers("compute_count", n),
          json.numbers("compute_seconds", n),
          json.numbers("compute_max_seconds", n),
          json.numbers("work_seconds", n),
          json.numbers("ready_mean", n),
          json.numbers("ready_min", n),
          json.numbers("slots_mean", n),
          json.numbers("slots_max", n));
    }
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if it is not a record, or of another version
   */
  static Run of(String text) {
    JsonMembers json = JsonMembers.read("run record", text);
    if (!KIND.equals(json.members().get("kind"))) {
      throw new IllegalArgumentException(
          "not the record of a run, whose 'kind' is '%s': write one with loader.runRecord().toJson(), or the training programs' --report run.json"
              .formatted(KIND));
    }
    long version = json.whole("version");
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "the record of a run has version %d, and this report reads version %d: use the version of Feedline that wrote it"
              .formatted(version, VERSION));
    }
    JsonMembers stalls = json.object("stalls");
    return new Run(
        json.members(),
        json.string("name"),
        json.string("created"),
        json.object("settings").members(),
        json.object("loader").members(),
        json.object("machine").members(),
        json.number("host_bytes"),
        Epoch.of(json.object("total")),
        json.objects("epochs", Epoch::of),
        Histogram.of(json.object("waits_histogram")),
        json.objectOrNull("service_level", Level::of),
        stalls.number("threshold_seconds"),
        stalls.objects("by_cause", Cause::of),
        stalls.objects("longest", Stall::of),
        Steps.of(json.object("steps")));
  }

  /** The workers at the end of the run; in older records, with AUTO, the most that there can be. */
  double workers() {
    return new JsonMembers("run record: loader", loader).number("workers");
  }

  double processors() {
    return new JsonMembers("run record: machine", machine).number("processors");
  }

  /** The processors that other processes kept busy; empty where that is not known. */
  OptionalDouble otherProcessors() {
    return new JsonMembers("run record: machine", machine)
        .numberIfPresent("other_processes_processors");
  }

  /**
   * The processor time of the process.
   *
   * @param process all of it
   * @param stages that of the stages of all workers; without workers, of the consumer's thread
   * @param workers that of the workers, stages included
   * @param otherThreads that of other Java threads that live
   * @param collecting for how long the garbage collector stopped all threads, which is no processor
   *     time; 0 in older records
   */
  record ProcessorTime(
      double process, double stages, double workers, double otherThreads, double collecting) {

    /** Returns the time of workers between stages. */
    double beside() {
      return Math.max(0, workers - stages);
    }

    /** Returns the time of other threads, without stages. */
    double threads() {
      return Math.max(0, workers == 0 ? otherThreads - stages : otherThreads);
    }

    /** Returns the time of the JVM itself. */
    double jvm() {
      return Math.max(0, process - workers - otherThreads);
    }
  }

  /** Returns the share of the time for which the garbage collector stopped all threads. */
  double collectingShare() {
    return total.elapsed() == 0
        ? 0
        : Math.min(1, processorTime().map(ProcessorTime::collecting).orElse(0.0) / total.elapsed());
  }

  /** Tests whether the loader chose the number of its workers, as far as the record tells. */
  boolean isAuto() {
    return new JsonMembers("run record: loader", loader).numberIfPresent("max_workers").orElse(0)
        > workers();
  }

  /** Returns the processor time of the process; empty in older records, and where it is unknown. */
  Optional<ProcessorTime> processorTime() {
    JsonMembers record = new JsonMembers("run record", json);
    return json.get("processor") == null
        ? Optional.empty()
        : record.objectOrNull(
            "processor",
            times ->
                new ProcessorTime(
                    times.number("process_seconds"),
                    total.stages().stream().mapToDouble(Stage::cpu).sum(),
                    times.number("workers_seconds"),
                    times.number("other_threads_seconds"),
                    times.numberIfPresent("collector_stopped_seconds").orElse(0)));
  }

  double prefetch() {
    return new JsonMembers("run record: loader", loader).number("prefetch");
  }

  double slots() {
    return new JsonMembers("run record: loader", loader).number("slots");
  }
}
