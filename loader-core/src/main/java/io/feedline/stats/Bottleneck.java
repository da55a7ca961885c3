package io.feedline.stats;

import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import io.feedline.internal.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The diagnosis of a run: the cause that limits the loader, the figures that show this cause, and
 * the changes to make. A service level, {@code feedline report} and {@code feedline doctor} print
 * this diagnosis.
 *
 * <pre>{@code
 * System.out.println(loader.runRecord().bottleneck());
 * }</pre>
 *
 * <p>It promises no gain, since a record contains the time of the work that was done, not of the
 * work after a change. Immutable.
 */
public final class Bottleneck {

  // ---- thresholds: shares of a time, unless they say otherwise ----------------------------------

  private static final double LITTLE = 0.02; // the share of waiting by which equal runs differ
  private static final double MUCH = 0.3; // a share of this size is worth acting on
  private static final double DISTURBING = 0.1; // the share taken by others that slows the run
  private static final double FULL = 0.7; // the load above which further workers only take turns
  private static final double BRIEF = 1; // seconds in which threads start and the JVM compiles code
  private static final int MORE_WORKERS = 4; // advised factor of the workers if a stage waits
  private static final int MANY_WORKERS = 64; // the largest number advised; then read ahead
  private static final double CHEAP = 200e-6; // seconds, about the time of handing a batch over
  private static final int PATIENT = 4; // advised factor of prefetch, to cover a slow sample

  /** The causes that delay no single batch, or only the first batch. */
  private static final Set<Cause> OF_NO_BATCH =
      EnumSet.of(Cause.BRIEF_RUN, Cause.BUSY_MACHINE, Cause.START_UP);

  private static final String PACK = "feedline convert DATA DATA-packed --to webdataset";

  private static final String COLLECTED = "The garbage collector stopped all threads ";

  /** The kind of a bottleneck. */
  public enum Cause {
    /** No batch has been delivered. */
    NOTHING_DELIVERED("Take a batch", ""),
    /** The consumer is the slower side, or hardly waits. */
    NONE("Leave the loader as it is, and look at the training", ""),
    /** The run is too short for a diagnosis. */
    BRIEF_RUN("Record a longer run", ""),
    /** Other processes have the processors. */
    BUSY_MACHINE("Repeat the run while the machine is idle", ""),
    /** The garbage collector stops all threads. */
    COLLECTOR("Give the JVM more memory, or a collector with short pauses", "-Xmx or -XX:+UseZGC"),
    /** The process was stopped, or something else outside the loader happened. */
    STOPPED("Find out what held up the process", ""),
    /** Workers may begin no batch: {@code prefetch} or {@code prefetchBytes} is reached. */
    ROOM("Prepare more batches ahead", ".prefetch(%s)"),
    /** Single samples take much longer than others. */
    SLOW_SAMPLES("Look at the samples that are named below", ""),
    /** Nothing is prepared when an iteration begins. */
    START_UP("Begin to load before the training is ready", ".prefetchFirstEpoch(true)"),
    /** Work on whole batches, which one worker does alone: collating, batch transforms. */
    WHOLE_BATCHES(
        "Move work from the whole batch to its samples, which workers share", "dataset.map(...)"),
    /** The copy to the device. */
    DEVICE_COPY("Copy from page-locked memory, and fewer bytes", ".allocator(PinnedAllocator...)"),
    /** Workers read one stream in turns. */
    STREAM(
        "Move work from the stream to functions of map, which workers share",
        "stream.map(\"NAME\", transform)"),
    /** Workers wait for a lock that another worker holds. */
    LOCK(
        "Let workers make samples at the same time: most wait for a lock that one of them holds",
        "jcmd PID Thread.print"),
    /** A stage waits: for a storage, a server, a timer. */
    WAITING("Let more workers wait at once", ".numWorkers(%s), or .autoWorkers()"),
    /** Workers compute, and are fewer than the processors. */
    WORKERS("Use all processors", ".numWorkers(%s)"),
    /** A stage keeps all processors busy. */
    PROCESSORS(
        "Store smaller images, if they are much larger than the crops",
        "feedline convert DATA DATA-small --to webdataset --resize 256"),
    /** A worker takes less time to make a batch than to hand the batch over. */
    CHEAP_SAMPLES(
        "Make samples in the training's own thread, or take larger batches", ".numWorkers(0)"),
    /** No figure explains the waits. */
    UNKNOWN("Let the loader find the number of workers", ".autoWorkers()");

    private final String change;
    private final String option;

    Cause(String change, String option) {
      this.change = change;
      this.option = option;
    }
  }

  /**
   * A change that the record justifies.
   *
   * @param cause the cause that the advice removes
   * @param change the change in words
   * @param option an option or a command to paste, or an empty text
   * @param evidence the figures behind the advice
   */
  public record Advice(Cause cause, String change, String option, String evidence) {

    /** Returns the change, the option and the evidence in a line. */
    @Override
    public String toString() {
      return "%s%s. %s".formatted(change, option.isEmpty() ? "" : ": " + option, evidence);
    }
  }

  private final RunRecord run;
  private final LoaderStats.Epoch total;
  private final double elapsed;
  private final double waited;
  private final double possible; // the workers' time; the consumer counts if it makes the batches
  private final double work; // the workers' time in stages; the next two are parts of it
  private final double cpu;
  private final double queued;
  private final double roomless; // the share of the workers' time in which they may begin no batch
  private final boolean readsInTurn;
  private final List<Advice> advice = new ArrayList<>();
  private double explained; // the largest share of the time that one advice explains

  private Bottleneck(RunRecord run) {
    this.run = run;
    this.total = run.total();
    this.elapsed = seconds(total.elapsed());
    this.waited = seconds(total.waits().total());
    this.possible = elapsed * Math.max(1, run.workers());
    this.work = sum(LoaderStats.Stage::elapsed);
    this.cpu = sum(LoaderStats.Stage::cpu);
    this.queued = sum(LoaderStats.Stage::queued);
    this.roomless = share(seconds(total.workers().waitedForRoom()), possible);
    double toRead = share(seconds(total.workers().waitedToRead()), possible);
    // A worker that never got to read adds no time here, but shows as waiting for a lock.
    this.readsInTurn = toRead > MUCH || (toRead > LITTLE && total.workers().contention() > MUCH);
    diagnose();
  }

  private double sum(Function<LoaderStats.Stage, Duration> part) {
    return total.stages().stream().mapToDouble(each -> seconds(part.apply(each))).sum();
  }

  private static double share(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }

  /** Returns the diagnosis of a run. */
  public static Bottleneck of(RunRecord run) {
    return new Bottleneck(run);
  }

  /** Returns the cause that limits the loader most. */
  public Cause cause() {
    return advice.get(0).cause();
  }

  /** Returns the changes to make, the most important first; one or more. */
  public List<Advice> advice() {
    return List.copyOf(advice);
  }

  /** Tests whether other processes used enough of the processors to slow this run down. */
  public boolean isMachineBusy() {
    return run.otherProcessors().orElse(0) > DISTURBING * run.processors();
  }

  /** Returns a line for each advice. */
  @Override
  public String toString() {
    return String.join("\n", advice.stream().map(Advice::toString).toList());
  }

  /** Returns the main cause's evidence as a clause; prefers causes that delay single batches. */
  String clause() {
    String evidence =
        advice.stream()
            .filter(each -> !OF_NO_BATCH.contains(each.cause()))
            .findFirst()
            .orElse(advice.get(0))
            .evidence();
    return Character.toLowerCase(evidence.charAt(0))
        + evidence.substring(1, evidence.length() - 1); // without the full stop
  }

  // ---- the diagnosis ----------------------------------------------------------------------------

  private void diagnose() {
    if (total.waits().count() == 0) {
      add(Cause.NOTHING_DELIVERED, "No batch has been delivered.");
      return;
    }
    // The training waits for these copies; the loader does not.
    Stalls.Sum copies = run.deviceStalls().of(Stalls.Cause.DEVICE_COPY);
    if (seconds(copies.waited()) > LITTLE * elapsed) {
      add(
          Cause.DEVICE_COPY,
          "The copy to the device was late: %s",
          of(copies, "the training's " + words(elapsed)));
    }
    if (total.waitingShare() < LITTLE && advice.isEmpty()) {
      add(
          Cause.NONE,
          "The consumer waited %s of its time, and workers waited %s of %s for it.",
          Counts.percent(total.waitingShare()),
          Durations.words(total.workers().waitedForRoom()),
          words(possible));
      return;
    }
    boolean brief = elapsed < BRIEF;
    if (brief) {
      add(
          Cause.BRIEF_RUN,
          "The run took %s, in which threads start and the JVM compiles.",
          words(elapsed));
    }
    int first = advice.size();
    if (run.collectingShare() > DISTURBING) {
      explained = run.collectingShare();
      add(Cause.COLLECTOR, COLLECTED + "for %s of the time.", Counts.percent(explained));
    }
    diagnoseStalls();
    if (!brief) {
      diagnoseWork();
    }
    boolean felt = queued == 0 || share(queued, work) > DISTURBING || isMuch(Stalls.Cause.OTHER);
    if ((isMachineBusy() && felt) || queues()) {
      // Advice that explains more of the time than the other processes do comes first.
      advice.add(explained > share(queued, work) ? advice.size() : first, idleMachine());
    }
    if (advice.isEmpty()) {
      addWithoutCause();
    }
  }

  private boolean queues() {
    return share(queued, work) > MUCH && hasProcessors();
  }

  private Advice idleMachine() {
    double others = run.otherProcessors().orElse(0);
    List<String> had = new ArrayList<>();
    if (others >= 0.005) { // printed as 0.01 or more
      had.add("other processes kept %s busy".formatted(processors(others)));
    }
    if (queued > 0) {
      had.add(
          "workers queued for a processor for %s of their stages' time"
              .formatted(Counts.percent(share(queued, work))));
    }
    String evidence = String.join(", and ", had) + ": all figures here are longer for it.";
    String sentence = Character.toUpperCase(evidence.charAt(0)) + evidence.substring(1);
    return new Advice(
        Cause.BUSY_MACHINE, Cause.BUSY_MACHINE.change, Cause.BUSY_MACHINE.option, sentence);
  }

  private boolean isMuch(Stalls.Cause cause) {
    return share(seconds(total.stalls().of(cause).waited()), waited) >= MUCH;
  }

  /** Tests whether the consumer waits for single samples while other workers have time. */
  private boolean hasTimeForSlowSamples() {
    return roomless > MUCH && isMuch(Stalls.Cause.SLOW_SAMPLE);
  }

  // ---- stalls -----------------------------------------------------------------------------------

  private void diagnoseStalls() {
    total.stalls().byCause().entrySet().stream()
        .filter(each -> isMuch(each.getKey()))
        .forEach(
            each -> {
              diagnoseStalls(each.getKey(), of(each.getValue(), words(waited) + " of waiting"));
              if (each.getKey() != Stalls.Cause.OTHER) {
                explained = Math.max(explained, seconds(each.getValue().waited()) / waited);
              }
            });
  }

  private void diagnoseStalls(Stalls.Cause cause, String why) {
    switch (cause) {
      case NO_ROOM ->
          addRoom(2 * run.prefetch(), "Workers waited, since no more batches were allowed: " + why);
      case SLOW_SAMPLE -> {
        boolean idle = hasTimeForSlowSamples();
        String slow = "Single samples took at least five times as long as others: " + why;
        advise(
            Cause.SLOW_SAMPLES,
            Cause.SLOW_SAMPLES.change + (idle ? ", or have more batches ready for them" : ""),
            idle ? Cause.ROOM.option.formatted(PATIENT * run.prefetch()) : "",
            idle
                ? slow
                : slow + " Workers had no time to spare, so more batches ahead do not help.");
      }
      case START_UP ->
          add(Cause.START_UP, "The first batch of an iteration had not been prepared: %s", why);
      case BATCH_TRANSFORM, COLLATE ->
          add(Cause.WHOLE_BATCHES, "One worker did it for each batch alone (%s): %s", cause, why);
      case COLLECTOR -> {
        if (run.collectingShare() <= DISTURBING) {
          add(Cause.COLLECTOR, COLLECTED + "in stalls: %s", why);
        }
      }
      case OTHER -> {
        if (!isMachineBusy() && !queues()) {
          add(Cause.STOPPED, "Nothing that the loader did explains it: %s", why);
        }
      }
      default -> {
        // The method diagnoseWork reports stages.
      }
    }
  }

  // ---- stages -----------------------------------------------------------------------------------

  /** Returns the time of a stage, less its time in the queue for a processor. */
  private static double own(LoaderStats.Stage stage) {
    return seconds(stage.elapsed().minus(stage.queued()));
  }

  private boolean hasProcessors() {
    return cpu < FULL * run.processors() * elapsed;
  }

  /** Tests whether workers wait for room, and other causes do not explain the consumer's waits. */
  private boolean lacksRoom() {
    Stalls others = total.stalls().without(Stalls.Cause.NO_ROOM).without(Stalls.Cause.SLOW_SAMPLE);
    return roomless > MUCH && waited - seconds(others.total().waited()) > MUCH * waited;
  }

  private void diagnoseWork() {
    double occupancy = Math.max(total.workers().occupancy(), share(work, possible));
    if (lacksRoom()) {
      // Long stages do not matter while workers may not begin a batch.
      explained = Math.max(explained, roomless);
      if (advice.stream().noneMatch(each -> each.option().startsWith(".prefetch("))) {
        addRoom(
            Math.max(2 * run.prefetch(), run.workers()),
            "Workers waited %s, since no more batches were allowed, while the consumer waited for one."
                .formatted(Durations.words(total.workers().waitedForRoom())));
      }
    } else if (readsInTurn) {
      explained = Math.max(explained, MUCH);
      add(
          Cause.STREAM,
          "One worker at a time reads a stream, and workers waited %s for each other.",
          Durations.words(total.workers().waitedToRead()));
      diagnoseStages();
    } else if (total.workers().contention() > MUCH && !hasTimeForSlowSamples()) {
      explained = Math.max(explained, total.workers().contention());
      String where =
          longest().map(most -> "; '" + most.name() + "' takes most of their time").orElse("");
      add(
          Cause.LOCK,
          "%s of the workers waited for such a lock, so more workers would wait too%s. Stacks of the threads show where.",
          Counts.percent(total.workers().contention()),
          where);
    } else if (occupancy >= MUCH && !hasTimeForSlowSamples()) {
      diagnoseStages();
    }
  }

  private Optional<LoaderStats.Stage> longest() {
    return total.stages().stream().max(Comparator.comparingDouble(Bottleneck::own));
  }

  private void diagnoseStages() {
    LoaderStats.Stage most = longest().orElse(null);
    if (most == null || own(most) < MUCH * (work - queued)) {
      return;
    }
    double own = own(most);
    // The time of waiting, less the stops of the garbage collector.
    double waits =
        Math.max(0, seconds(most.waiting()) - run.collectingShare() * seconds(most.elapsed()));
    String share =
        "%s had %s of the workers' %s in stages"
            .formatted(most.name(), Counts.percent(own / (work - queued)), words(work - queued));
    // If the time in the queue for processors is unknown, the waiting time may contain it.
    boolean knownToWait = queued > 0 || (cpu > 0 && hasProcessors());
    if (!Stages.explains(waits, own)) {
      diagnoseComputing(most, share, "on a processor");
    } else if (knownToWait) {
      diagnoseWaiting(
          most,
          "%s, and waited for storage or locks for %s of that."
              .formatted(share, Counts.percent(waits / own)));
    } else if (cpu > 0) {
      diagnoseComputing(most, share, "on a processor or in the queue for one");
    } else {
      return;
    }
    explained = Math.max(explained, own / work);
  }

  private static boolean ofBatches(LoaderStats.Stage stage) {
    return stage.name().equals("collating") || stage.name().equals("batch transform");
  }

  private void diagnoseWaiting(LoaderStats.Stage most, String why) {
    boolean batches = ofBatches(most);
    if (run.workers() < MANY_WORKERS && !run.isAuto() && !readsInTurn) {
      int workers = Math.min(MANY_WORKERS, MORE_WORKERS * Math.max(1, run.workers()));
      advise(
          Cause.WAITING,
          Cause.WAITING.change + (batches ? ", each for a batch of its own" : ""),
          (batches ? ".numWorkers(%1$s).prefetch(%1$s)" : Cause.WAITING.option).formatted(workers),
          why);
    }
    if (!batches) {
      addLessWork(Cause.WAITING, most, why);
    }
    if (readsFiles(most) && run.epochs().size() > 1) {
      advise(
          Cause.WAITING,
          "Keep a copy nearby for epochs after the first",
          "--cache DIR --cache-size 100G, or DiskCache",
          why);
    }
  }

  private void diagnoseComputing(LoaderStats.Stage most, String share, String where) {
    String busy = processors(share(cpu, elapsed));
    if (hasProcessors() && run.workers() < run.processors()) {
      advise(
          Cause.WORKERS,
          Cause.WORKERS.change,
          Cause.WORKERS.option.formatted(run.processors()),
          "%s kept %s busy; %s.".formatted(Counts.of(run.workers(), "worker"), busy, share));
    }
    String why = "%s, %s. Stages kept %s busy.".formatted(share, where, busy);
    if (!ofBatches(most)) {
      addLessWork(Cause.PROCESSORS, most, why);
    } else if (advice.stream().noneMatch(each -> each.cause() == Cause.WHOLE_BATCHES)) {
      add(Cause.WHOLE_BATCHES, "One worker does it for each batch alone: %s", why);
    }
  }

  private boolean readsFiles(LoaderStats.Stage stage) {
    return stage.name().equals("reading") && total.bytesRead() > 0 && !readsInTurn;
  }

  private void addLessWork(Cause cause, LoaderStats.Stage stage, String why) {
    if (readsFiles(stage)) {
      advise(cause, "Pack small files, so that a read brings many samples", PACK, why);
      return;
    }
    String change = "Make '%s' faster, or do it once before the training".formatted(stage.name());
    String option = "";
    switch (stage.name()) {
      case "reading" ->
          change =
              "Make the dataset itself faster: 'reading' is the time of its get, or of its stream";
      case "transforming" -> {
        change =
            "Make the transforms faster, or do them once before the training; a name shows one by itself";
        option = "dataset.map(\"NAME\", transform)";
      }
      case "decoding" -> {
        change = Cause.PROCESSORS.change;
        option = Cause.PROCESSORS.option;
      }
      case "writing" -> {
        change = "Write bytes, and normalize on the device";
        option = "ToTensor.of(DType.UINT8), normalizeOnDevice";
      }
      default -> {
        // A stage that the user has named.
      }
    }
    advise(cause, change, option, why);
  }

  private void addWithoutCause() {
    double batch = share(work, (double) total.batches());
    String share =
        "The consumer waited %s of its time, and ".formatted(Counts.percent(total.waitingShare()));
    if (run.workers() > 0 && batch > 0 && batch < CHEAP) {
      add(
          Cause.CHEAP_SAMPLES,
          "A batch takes %s to make, and its way from a worker about as long.",
          words(batch));
    } else if (run.isAuto()) {
      advise(
          Cause.UNKNOWN,
          "Look at the charts: no change follows from the figures alone",
          "",
          share + "the loader has chosen %s.".formatted(Counts.of(run.workers(), "worker")));
    } else {
      add(Cause.UNKNOWN, "%sno stage stands out.", share);
    }
  }

  // ---- words ------------------------------------------------------------------------------------

  private void add(Cause cause, String evidence, Object... values) {
    advise(cause, cause.change, cause.option, String.format(Locale.ROOT, evidence, values));
  }

  private void addRoom(int batches, String evidence) {
    advise(Cause.ROOM, Cause.ROOM.change, Cause.ROOM.option.formatted(batches), evidence);
  }

  private void advise(Cause cause, String change, String option, String evidence) {
    advice.add(new Advice(cause, change, option, evidence));
  }

  private static String of(Stalls.Sum stalls, String whole) {
    return "%s of %s, in %s."
        .formatted(Durations.words(stalls.waited()), whole, Counts.of(stalls.count(), "stall"));
  }

  private String processors(double busy) {
    return "%s of %s".formatted(Counts.number(busy), Counts.of(run.processors(), "processor"));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private static String words(double seconds) {
    return Durations.words(Duration.ofNanos(Math.round(seconds * 1e9)));
  }
}
