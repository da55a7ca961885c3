package io.feedline.stats;

import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import io.feedline.internal.Stages;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The only judgement of a run: the cause that limits the loader, the figures behind it, and the
 * changes to make. The sentence of a service level, the page of {@code feedline report} and {@code
 * feedline doctor} print this judgement, and have none of their own.
 *
 * <pre>{@code
 * Bottleneck bottleneck = loader.runRecord().bottleneck();
 * System.out.println(bottleneck);
 * }</pre>
 *
 * <p>It promises no gain: a record has the time of the work that was done, not of other work.
 * {@code feedline doctor} tries the changes that it can. Immutable.
 */
public final class Bottleneck {

  // ---- thresholds: shares of a time, unless they say otherwise ----------------------------------

  /** The waiting below which a faster loader gains less than runs differ among themselves. */
  private static final double LITTLE = 0.02;

  /** The part that names a cause: a change that removes it shows beside the rest. */
  private static final double MUCH = 0.3;

  /** The part of the processors, or of the time, that others have before figures grow by it. */
  private static final double DISTURBING = 0.1;

  /**
   * The share of waiting up to which the consumer counts as the slower side: runs differ by this
   * much.
   */
  private static final double HARDLY = 0.05;

  /** The part of their time that workers wait for a consumer that is slower. */
  private static final double MOSTLY = 0.5;

  /** The use of the processors above which more workers would only take turns. */
  private static final double FULL = 0.7;

  /** The seconds of a run in which threads start and the JVM compiles, and little else. */
  private static final double BRIEF = 1;

  /** The factor by which the advice raises a small number of workers if reads wait. */
  private static final int MORE_WORKERS = 4;

  /** The workers above which a thread for each wait costs more than reading ahead. */
  private static final int MANY_WORKERS = 64;

  /**
   * The seconds of work in a batch below which handing the batch over takes as long as the work.
   */
  private static final double CHEAP = 200e-6;

  /** The factor of batches ahead that covers a slow sample. */
  private static final int PATIENT = 4;

  private static final String PACK = "feedline convert DATA DATA-packed --to webdataset";

  private static final String COLLECTED = "The garbage collector stopped all threads ";

  /** The kind of a bottleneck. */
  public enum Cause {
    /** No batch has been delivered. */
    NOTHING_DELIVERED("Take a batch", ""),
    /** The consumer is the slower side, or hardly waits. */
    NONE("Leave the loader as it is, and look at the training", ""),
    /** The run is too short for a judgement. */
    BRIEF_RUN("Record a longer run", ""),
    /** Other processes have the processors. */
    BUSY_MACHINE("Repeat the run while the machine is idle", ""),
    /** The garbage collector stops all threads. */
    COLLECTOR("Give the JVM more memory, or a collector with short pauses", "-Xmx or -XX:+UseZGC"),
    /** The process is stopped, or something else that the loader does not do. */
    STOPPED("Find out what held up the process", ""),
    /** Workers may begin no batch: {@code prefetch}, {@code prefetchBytes}, open batches. */
    ROOM("Prepare more batches ahead", ".prefetch(%d)"),
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
    WAITING("Let more workers wait at once", ".numWorkers(%d), or .autoWorkers()"),
    /** Workers compute, and are fewer than the processors. */
    WORKERS("Use all processors", ".numWorkers(%d)"),
    /** A stage computes on all processors that there are. */
    PROCESSORS(
        "Store smaller images, if they are much larger than the crops",
        "feedline convert DATA DATA-small --to webdataset --resize 256"),
    /** Making a batch takes less time than handing it over from a worker. */
    CHEAP_SAMPLES(
        "Make samples in the training's own thread, or take larger batches", ".numWorkers(0)"),
    /** No figure stands out. */
    UNKNOWN("Let the loader find the number of workers", ".autoWorkers()");

    private final String change;

    /** An option with a number, or a text. */
    private final String option;

    Cause(String change, String option) {
      this.change = change;
      this.option = option;
    }
  }

  /**
   * A change that the record speaks for.
   *
   * @param cause the cause that the advice removes
   * @param change in words
   * @param option an option or a command to paste, or an empty text
   * @param evidence the figures that speak for it
   */
  public record Advice(Cause cause, String change, String option, String evidence) {

    /** Returns the change, the option and the evidence in a line. */
    @Override
    public String toString() {
      return "%s%s. %s".formatted(change, option.isEmpty() ? "" : ": " + option, evidence);
    }
  }

  private final RunRecord run;
  private final EpochStats total;
  private final double elapsed;
  private final double waited;

  /** The workers' time; a consumer that makes the batches itself counts as one worker. */
  private final double possible;

  /**
   * The workers' time in stages, the part of it on a processor, and the part in the queue for a
   * processor.
   */
  private final double work;

  private final double cpu;
  private final double queued;
  private final List<Advice> advice = new ArrayList<>();

  private Bottleneck(RunRecord run) {
    this.run = run;
    this.total = run.total();
    this.elapsed = seconds(total.elapsed());
    this.waited = seconds(total.waits().total());
    this.possible = elapsed * Math.max(1, run.workers());
    List<EpochStats.Stage> stages = total.stages();
    this.work = stages.stream().mapToDouble(each -> seconds(each.elapsed())).sum();
    this.cpu = stages.stream().mapToDouble(each -> seconds(each.cpu())).sum();
    this.queued = stages.stream().mapToDouble(each -> seconds(each.queued())).sum();
    judge();
  }

  /** Judges a run. */
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

  // ---- the clause of a service level ------------------------------------------------------------

  /** Returns the clause of a level that was kept by all batches; empty where nothing stands out. */
  String clauseInTime() {
    return waited <= HARDLY * elapsed && roomShare() > MOSTLY
        ? "the consumer is slower, and workers waited %s of %s for it"
            .formatted(Durations.words(total.workers().waitedForRoom()), words(possible))
        : "";
  }

  /** Returns the clause that names the main cause of stalls, or else the longest stage. */
  String blame() {
    // Without the stalls of the start, which a longer run has only once.
    Map<Stall.Cause, Stalls.Sum> stalls = new EnumMap<>(Stall.Cause.class);
    stalls.putAll(total.stalls().byCause());
    stalls.remove(Stall.Cause.START_UP);
    Stalls.Sum all = new Stalls(stalls, List.of()).total();
    if (all.count() > 0) {
      Stall.Cause worst = new Stalls(stalls, List.of()).worst().orElseThrow();
      return "the main cause of stalls was %s, %s of %s"
          .formatted(
              name(worst),
              Durations.words(stalls.get(worst).waited()),
              Durations.words(all.waited()));
    }
    return total.stages().stream()
        .max(Comparator.comparing(EpochStats.Stage::elapsed))
        .map(
            most ->
                "no batch was waited for long, and %s took most of the workers' time, %s"
                    .formatted(most.name(), Durations.words(most.elapsed())))
        .orElse("no batch was waited for long, and no stage was measured");
  }

  /**
   * Returns a cause in words; for transforms, the name of the transform with the longest stalls.
   */
  private String name(Stall.Cause cause) {
    return run.longestStalls().stream()
        .filter(stall -> stall.cause() == cause && cause == Stall.Cause.TRANSFORM)
        .findFirst()
        .map(Stall::stage)
        .filter(stage -> !stage.isEmpty() && !stage.equals(cause.toString()))
        .map(stage -> "'" + stage + "'")
        .orElse(cause.toString());
  }

  // ---- the judgement ----------------------------------------------------------------------------

  private void judge() {
    if (total.waits().count() == 0) {
      add(Cause.NOTHING_DELIVERED, "No batch has been delivered.");
      return;
    }
    // The training waits for these copies, and not the loader.
    Stalls.Sum copies = run.deviceStalls().of(Stall.Cause.DEVICE_COPY);
    if (seconds(copies.waited()) > LITTLE * elapsed) {
      add(
          Cause.DEVICE_COPY,
          "The copy to the device was late: " + of(copies, "the training's " + words(elapsed)));
    }
    if (total.waitingShare() < LITTLE && advice.isEmpty()) {
      add(
          Cause.NONE,
          "The consumer waited " + Counts.percent(total.waitingShare()) + " of its time.");
      return;
    }
    boolean brief = elapsed < BRIEF;
    if (brief) {
      add(
          Cause.BRIEF_RUN,
          "This one took %s, in which threads start and the JVM compiles."
              .formatted(words(elapsed)));
    }
    int first = advice.size();
    double explained = 0;
    if (run.collectingShare() > DISTURBING) {
      explained = run.collectingShare();
      add(Cause.COLLECTOR, COLLECTED + "for " + Counts.percent(explained) + " of the time.");
    }
    explained = Math.max(explained, judgeStalls());
    explained = Math.max(explained, brief ? 0 : judgeWork());
    if (isDisturbed()) {
      // After causes that explain more of the time than the processors of other processes.
      advice.add(explained > queuedShare() ? advice.size() : first, idleMachine());
    }
    if (advice.isEmpty()) {
      addWithoutCause();
    }
  }

  /** Tests whether workers queued for processors that the stages do not use. */
  private boolean queues() {
    return queuedShare() > MUCH && hasProcessors();
  }

  private double queuedShare() {
    return work == 0 ? 0 : queued / work;
  }

  /** Tests whether the load of others makes figures longer. */
  private boolean isDisturbed() {
    boolean felt = queued == 0 || queuedShare() > DISTURBING || isMuch(Stall.Cause.OTHER);
    return (isMachineBusy() && felt) || queues();
  }

  private Advice idleMachine() {
    double others = run.otherProcessors().orElse(0);
    boolean told = others >= 0.005; // printed as 0.01 or more
    String had = told ? "Other processes kept %s busy".formatted(processors(others)) : "Workers";
    String felt =
        queued == 0
            ? ""
            : (told ? ", and workers" : "")
                + " queued for a processor for %s of their stages' time"
                    .formatted(Counts.percent(queuedShare()));
    Cause busy = Cause.BUSY_MACHINE;
    return new Advice(
        busy, busy.change, busy.option, had + felt + ": all figures here are longer for it.");
  }

  private boolean isMuch(Stall.Cause cause) {
    Stalls.Sum sum = total.stalls().of(cause);
    return sum.count() > 0 && seconds(sum.waited()) >= MUCH * waited;
  }

  /** Returns the share of the workers' time in which they may begin no batch. */
  private double roomShare() {
    return possible == 0 ? 0 : seconds(total.workers().waitedForRoom()) / possible;
  }

  /** Tests whether single samples are waited for, by workers that are not busy with the others. */
  private boolean hasTimeForSlowSamples() {
    return roomShare() > MUCH && isMuch(Stall.Cause.SLOW_SAMPLE);
  }

  // ---- stalls -----------------------------------------------------------------------------------

  /**
   * Adds the advice against stalls. Returns the largest share of the waiting that a single cause
   * explains.
   */
  private double judgeStalls() {
    double explained = 0;
    for (Map.Entry<Stall.Cause, Stalls.Sum> each : total.stalls().byCause().entrySet()) {
      if (isMuch(each.getKey())) {
        judgeStalls(each.getKey(), of(each.getValue(), words(waited) + " of waiting"));
        double share = seconds(each.getValue().waited()) / waited;
        explained = each.getKey() == Stall.Cause.OTHER ? explained : Math.max(explained, share);
      }
    }
    return explained;
  }

  private void judgeStalls(Stall.Cause cause, String why) {
    switch (cause) {
      case NO_ROOM ->
          add(
              Cause.ROOM,
              2 * run.prefetch(),
              "Workers waited, since no more batches were allowed: " + why);
      case SLOW_SAMPLE -> {
        String slow = "Single samples took at least five times as long as others: " + why;
        if (hasTimeForSlowSamples()) {
          add(
              Cause.SLOW_SAMPLES,
              Cause.SLOW_SAMPLES.change + ", or have more batches ready for them",
              Cause.ROOM.option.formatted(PATIENT * run.prefetch()),
              slow);
        } else {
          add(
              Cause.SLOW_SAMPLES,
              slow + " Workers had no time to spare, so more batches ahead do not help.");
        }
      }
      case START_UP ->
          add(Cause.START_UP, "The first batch of an iteration had not been prepared: " + why);
      case BATCH_TRANSFORM, COLLATE ->
          add(
              Cause.WHOLE_BATCHES,
              "One worker did it for each batch alone (%s): %s".formatted(cause, why));
      case DEVICE_COPY -> add(Cause.DEVICE_COPY, "The copy to the device was late: " + why);
      case OTHER -> judgeUnexplained(why);
      default -> {
        // A stage is judged by its work.
      }
    }
  }

  private void judgeUnexplained(String why) {
    double collected = listed(Stages.COLLECTOR);
    if (collected > 0 && collected >= MUCH * listed("")) {
      if (run.collectingShare() <= DISTURBING) {
        add(Cause.COLLECTOR, COLLECTED + "in stalls of " + words(collected) + ", of these: " + why);
      }
    } else if (!isMachineBusy() && !queues()) {
      add(Cause.STOPPED, "Nothing that the loader did explains it: " + why);
    }
  }

  /**
   * Returns the time of the longest unexplained stalls whose evidence begins with {@code words}.
   */
  private double listed(String words) {
    return run.longestStalls().stream()
        .filter(each -> each.cause() == Stall.Cause.OTHER && each.detail().startsWith(words))
        .mapToDouble(each -> seconds(each.waited()))
        .sum();
  }

  // ---- stages -----------------------------------------------------------------------------------

  /** Returns the time of a stage without that in the queue for a processor. */
  private static double own(EpochStats.Stage stage) {
    return seconds(stage.elapsed().minus(stage.queued()));
  }

  /** Tests whether the stages left processors free. */
  private boolean hasProcessors() {
    return cpu < FULL * run.processors() * elapsed;
  }

  private boolean waitsToRead() {
    return seconds(total.workers().waitedToRead()) > MUCH * possible;
  }

  /** Tests whether workers stand still for want of room. */
  private boolean lacksRoom() {
    double otherwise = seconds(total.stalls().total().waited());
    for (Stall.Cause ofRoom : List.of(Stall.Cause.NO_ROOM, Stall.Cause.SLOW_SAMPLE)) {
      otherwise -= seconds(total.stalls().of(ofRoom).waited());
    }
    return roomShare() > MUCH && waited - otherwise > LITTLE * elapsed;
  }

  /** Adds the advice about the workers' time. Returns the share of it that is explained. */
  private double judgeWork() {
    if (lacksRoom()) {
      // Long stages do not matter while workers may not begin a batch.
      if (advice.stream().noneMatch(each -> each.option().startsWith(".prefetch("))) {
        add(
            Cause.ROOM,
            Math.max(2 * run.prefetch(), run.workers()),
            "Workers waited %s, since no more batches were allowed, while the consumer waited for one."
                .formatted(Durations.words(total.workers().waitedForRoom())));
      }
      return roomShare();
    }
    double occupancy = Math.max(total.workers().occupancy(), possible == 0 ? 0 : work / possible);
    return !hasTimeForSlowSamples() && (occupancy >= MUCH || waitsToRead()) ? judgeStages() : 0;
  }

  private double judgeStages() {
    if (waitsToRead()) {
      add(
          Cause.STREAM,
          "One worker at a time reads a stream, and workers waited %s for each other."
              .formatted(Durations.words(total.workers().waitedToRead())));
    }
    double explained = waitsToRead() ? MUCH : 0;
    Optional<EpochStats.Stage> longest =
        total.stages().stream().max(Comparator.comparingDouble(Bottleneck::own));
    double contention = total.workers().contention();
    if (contention > MUCH && !waitsToRead()) {
      String most =
          longest.map(each -> "; '" + each.name() + "' takes most of their time").orElse("");
      add(
          Cause.LOCK,
          "%s of the workers waited for such a lock, so more workers would wait too%s. Stacks of the threads show where."
              .formatted(Counts.percent(contention), most));
      return contention;
    }
    if (longest.isEmpty() || own(longest.get()) < MUCH * (work - queued)) {
      return explained;
    }
    EpochStats.Stage most = longest.get();
    double own = own(most);
    // Without the stops of the collector.
    double waits =
        Math.max(0, seconds(most.waiting()) - run.collectingShare() * seconds(most.elapsed()));
    String share =
        "%s had %s of the workers' %s in stages"
            .formatted(most.name(), Counts.percent(own / (work - queued)), words(work - queued));
    // If the queue for processors is unknown, the rest of the time may have been spent in it.
    boolean knownToWait = queued > 0 || (cpu > 0 && hasProcessors());
    if (waits <= own / 2) {
      judgeComputing(most, share, "on a processor");
    } else if (knownToWait) {
      judgeWaiting(
          most,
          "%s, and waited for storage or locks for %s of that."
              .formatted(share, Counts.percent(waits / own)));
    } else if (cpu > 0) {
      judgeComputing(most, share, "on a processor or in the queue for one");
    } else {
      return explained;
    }
    return own / work;
  }

  private static boolean ofBatches(EpochStats.Stage stage) {
    return stage.name().equals("collating") || stage.name().equals("batch transform");
  }

  /** A stage that waits for something other than a processor: more at once, or fewer waits. */
  private void judgeWaiting(EpochStats.Stage most, String why) {
    boolean inTurns = waitsToRead();
    if (run.workers() < MANY_WORKERS && !run.isAuto() && !inTurns) {
      int workers = Math.min(MANY_WORKERS, MORE_WORKERS * Math.max(1, run.workers()));
      if (ofBatches(most)) {
        add(
            Cause.WAITING,
            Cause.WAITING.change + ", each for a batch of its own",
            Cause.WORKERS.option.formatted(workers) + Cause.ROOM.option.formatted(workers),
            why);
      } else {
        add(Cause.WAITING, workers, why);
      }
    }
    if (most.name().equals("reading") && total.bytesRead() > 0 && !inTurns) {
      add(Cause.WAITING, "Pack small files, so that a read brings many samples", PACK, why);
      if (run.epochs().size() > 1) {
        add(
            Cause.WAITING,
            "Keep a copy nearby for epochs after the first",
            "--cache DIR --cache-size 100G, or DiskCache",
            why);
      }
    } else if (!ofBatches(most)) {
      addFaster(Cause.WAITING, most, why);
    }
  }

  /** A stage that computes: on all processors, or with less to do. */
  private void judgeComputing(EpochStats.Stage most, String share, String where) {
    String busy = processors(elapsed == 0 ? 0 : cpu / elapsed);
    if (hasProcessors() && run.workers() < run.processors()) {
      add(
          Cause.WORKERS,
          run.processors(),
          "%s kept %s busy; %s.".formatted(Counts.of(run.workers(), "worker"), busy, share));
    }
    String why = "%s, %s. Stages kept %s busy.".formatted(share, where, busy);
    if (most.name().equals("decoding")) {
      add(Cause.PROCESSORS, why);
    } else if (most.name().equals("writing")) {
      add(
          Cause.PROCESSORS,
          "Write bytes, and normalize on the device",
          "ToTensor.of(DType.UINT8), normalizeOnDevice",
          why);
    } else if (most.name().equals("reading") && total.bytesRead() > 0) {
      add(
          Cause.PROCESSORS,
          "Pack small files: opening one takes the processor longer than reading it",
          PACK,
          why);
    } else if (!ofBatches(most)) {
      addFaster(Cause.PROCESSORS, most, why);
    } else if (advice.stream().noneMatch(each -> each.cause() == Cause.WHOLE_BATCHES)) {
      add(Cause.WHOLE_BATCHES, "One worker does it for each batch alone: " + why);
    }
  }

  /** Adds the advice about work of the program's own. */
  private void addFaster(Cause cause, EpochStats.Stage stage, String why) {
    boolean unnamed = stage.name().equals("transforming");
    add(
        cause,
        unnamed
            ? "Make the transforms faster, or do them once before the training; a name shows one by itself"
            : stage.name().equals("reading")
                ? "Make the dataset itself faster: 'reading' is the time of its get, or of its stream"
                : "Make '%s' faster, or do it once before the training".formatted(stage.name()),
        unnamed ? "dataset.map(\"NAME\", transform)" : "",
        why);
  }

  /** Adds the change to try where no figure stands out. */
  private void addWithoutCause() {
    double batch = total.batches() == 0 ? 0 : work / total.batches();
    String share =
        "The consumer waited %s of its time, and ".formatted(Counts.percent(total.waitingShare()));
    if (run.workers() > 0 && batch > 0 && batch < CHEAP) {
      add(
          Cause.CHEAP_SAMPLES,
          "A batch takes %s to make, and its way from a worker about as long."
              .formatted(words(batch)));
    } else if (run.isAuto()) {
      add(
          Cause.UNKNOWN,
          "Look at the charts: no change follows from the figures alone",
          "",
          share + "the loader has chosen %s.".formatted(Counts.of(run.workers(), "worker")));
    } else {
      add(Cause.UNKNOWN, share + "no stage stands out.");
    }
  }

  // ---- words ------------------------------------------------------------------------------------

  private void add(Cause cause, String evidence) {
    add(cause, cause.change, cause.option, evidence);
  }

  private void add(Cause cause, int number, String evidence) {
    add(cause, cause.change, cause.option.formatted(number), evidence);
  }

  private void add(Cause cause, String change, String option, String evidence) {
    advice.add(new Advice(cause, change, option, evidence));
  }

  /** Returns the time of stalls as a part of another time. */
  private static String of(Stalls.Sum stalls, String whole) {
    return "%s of %s, in %s."
        .formatted(Durations.words(stalls.waited()), whole, Counts.of(stalls.count(), "stall"));
  }

  private String processors(double busy) {
    return "%s of %s".formatted(number(busy), Counts.of(run.processors(), "processor"));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private static String words(double seconds) {
    return Durations.words(Duration.ofNanos(Math.round(seconds * 1e9)));
  }

  /** A rate or a mean: whole from 100 on. */
  private static String number(double number) {
    return String.format(
        Locale.ROOT, number >= 99.95 ? "%.0f" : number >= 9.995 ? "%.1f" : "%.2f", number);
  }
}
