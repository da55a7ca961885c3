package io.feedline.stats;

import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import io.feedline.internal.Stages;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The one judgement of a run: what limits the loader, the figures that speak for it, and what to
 * change. The sentence of a service level, the page of {@code feedline report} and {@code feedline
 * doctor} word this one, and have no judgement of their own.
 *
 * <pre>{@code
 * Bottleneck bottleneck = loader.runRecord().bottleneck();
 * System.out.println(bottleneck);
 * }</pre>
 *
 * <p>No gain is promised: a record tells where time went, and not how long other work would take.
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

  /** The waiting up to which the consumer is called the slower side: runs differ by so much. */
  private static final double HARDLY = 0.05;

  /** The part of their time that workers wait for a consumer that is slower. */
  private static final double MOSTLY = 0.5;

  /** The use of the processors above which more workers would only take turns. */
  private static final double FULL = 0.7;

  /** The seconds of a run in which threads start and the JVM compiles, and little else. */
  private static final double BRIEF = 1;

  /** Reads that wait are worth so many times as many workers, as long as there are few. */
  private static final int MORE_WORKERS = 4;

  /** The workers above which a thread for each wait costs more than reading ahead. */
  private static final int MANY_WORKERS = 64;

  /** The seconds of work in a batch below which its way from a worker takes as long. */
  private static final double CHEAP = 200e-6;

  /** So many times as many batches ahead cover a slow sample. */
  private static final int PATIENT = 4;

  /** The kind of a bottleneck. */
  public enum Cause {
    /** No batch has been delivered. */
    NOTHING_DELIVERED,
    /** The consumer is the slower side, or hardly waits. */
    NONE,
    /** The run is too short to be judged. */
    BRIEF_RUN,
    /** Other processes have the processors. */
    BUSY_MACHINE,
    /** The garbage collector stops all threads. */
    COLLECTOR,
    /** The process is stopped, or something else that the loader does not do. */
    STOPPED,
    /** Workers may begin no batch: {@code prefetch}, {@code prefetchBytes}, open batches. */
    ROOM,
    /** Single samples take much longer than others. */
    SLOW_SAMPLES,
    /** Nothing is prepared when an iteration begins. */
    START_UP,
    /** Work on whole batches, which one worker does alone: collating, batch transforms. */
    WHOLE_BATCHES,
    /** The copy to the device. */
    DEVICE_COPY,
    /** Workers read one stream in turns. */
    STREAM,
    /** Workers wait for a lock that one of them holds. */
    LOCK,
    /** A stage waits: for a storage, a server, a timer. */
    WAITING,
    /** Workers compute, and are fewer than the processors. */
    WORKERS,
    /** A stage computes on all processors that there are. */
    PROCESSORS,
    /** Batches cost less than their way from a worker. */
    CHEAP_SAMPLES,
    /** No figure stands out. */
    UNKNOWN
  }

  /**
   * A change that the record speaks for.
   *
   * @param cause what it is against
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
  private final Work work;
  private final List<Advice> advice = new ArrayList<>();

  private Bottleneck(RunRecord run) {
    this.run = run;
    this.total = run.total();
    this.elapsed = seconds(total.elapsed());
    this.waited = seconds(total.waits().total());
    this.work = new Work();
    judge();
  }

  /** Judges a run. */
  public static Bottleneck of(RunRecord run) {
    return new Bottleneck(run);
  }

  /** Returns what limits the loader most. */
  public Cause cause() {
    return advice.get(0).cause();
  }

  /** Returns what to change, the most important first; one or more. */
  public List<Advice> advice() {
    return List.copyOf(advice);
  }

  /** Returns a line for each advice. */
  @Override
  public String toString() {
    return String.join("\n", advice.stream().map(Advice::toString).toList());
  }

  // ---- the clause -------------------------------------------------------------------------------

  /** Returns the clause of a level that was kept by all batches; empty where nothing stands out. */
  String clauseInTime() {
    return isConsumerSlower() ? consumerIsSlower() : "";
  }

  private boolean isConsumerSlower() {
    return waited <= HARDLY * elapsed && roomShare() > MOSTLY;
  }

  private String consumerIsSlower() {
    return "the consumer is slower, and workers waited %s of %s for it"
        .formatted(
            Durations.words(total.workers().waitedForRoom()),
            words(elapsed * Math.max(1, run.workers())));
  }

  /** Returns the clause that names the main cause of stalls, or else the longest stage. */
  String blame() {
    Optional<Map.Entry<Stall.Cause, Stalls.Sum>> worst =
        stalls().max(Comparator.comparing(each -> each.getValue().waited()));
    if (worst.isPresent()) {
      double all = stalls().mapToDouble(each -> seconds(each.getValue().waited())).sum();
      return "the main cause of stalls was %s, %s of %s"
          .formatted(
              name(worst.get().getKey()),
              Durations.words(worst.get().getValue().waited()),
              words(all));
    }
    return total.stages().stream()
        .max(Comparator.comparing(EpochStats.Stage::elapsed))
        .map(
            most ->
                "no batch was waited for long, and %s took most of the workers' time, %s"
                    .formatted(most.name(), Durations.words(most.elapsed())))
        .orElse("no batch was waited for long, and no stage was measured");
  }

  /** Returns the stalls but those of the start, which a longer run pays once. */
  private Stream<Map.Entry<Stall.Cause, Stalls.Sum>> stalls() {
    return total.stalls().byCause().entrySet().stream()
        .filter(each -> each.getKey() != Stall.Cause.START_UP);
  }

  /** Returns a cause in words; of transforms the one with the longest stalls, by its name. */
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
      add(Cause.NOTHING_DELIVERED, "Take a batch", "", "No batch has been delivered.");
      return;
    }
    judgeDevice();
    if (total.waitingShare() < LITTLE && advice.isEmpty()) {
      add(
          Cause.NONE,
          "Leave the loader as it is, and look at the training",
          "",
          "The consumer waited %s of its time.".formatted(Counts.percent(total.waitingShare())));
      return;
    }
    boolean brief = elapsed < BRIEF;
    if (brief) {
      add(
          Cause.BRIEF_RUN,
          "Record a longer run",
          "",
          "This one took %s, in which threads start and the JVM compiles."
              .formatted(words(elapsed)));
    }
    boolean disturbed = isDisturbed();
    int others = advice.size();
    double explained = 0;
    if (run.collectingShare() > DISTURBING) {
      explained = run.collectingShare();
      addMemory(
          "The garbage collector stopped all threads for %s of the time."
              .formatted(Counts.percent(run.collectingShare())));
    }
    explained = Math.max(explained, judgeStalls(isBusy() || work.queues()));
    if (!brief) {
      explained = Math.max(explained, judgeWork());
    }
    if (disturbed) {
      // Above what explains less of the time than the others' processors do.
      advice.add(explained > work.queuedShare() ? advice.size() : others, idleMachine());
    }
    if (advice.isEmpty()) {
      addWithoutCause();
    }
  }

  /** Adds the advice about the copies to a device, for which the training waits, not the loader. */
  private void judgeDevice() {
    Stalls.Sum copies = run.deviceStalls().of(Stall.Cause.DEVICE_COPY);
    if (seconds(copies.waited()) > LITTLE * elapsed) {
      addAgainst(
          Stall.Cause.DEVICE_COPY,
          "%s of the training's %s, in %s."
              .formatted(
                  Durations.words(copies.waited()),
                  words(elapsed),
                  Counts.of(copies.count(), "stall")),
          false);
    }
  }

  private void add(Cause cause, String change, String option, String evidence) {
    advice.add(new Advice(cause, change, option, evidence));
  }

  private void addMemory(String why) {
    add(
        Cause.COLLECTOR,
        "Give the JVM more memory, or a collector with short pauses",
        "-Xmx or -XX:+UseZGC",
        why);
  }

  private boolean isBusy() {
    return run.otherProcessors().orElse(0) > DISTURBING * run.processors();
  }

  /** Tests whether the load of others makes figures longer. */
  private boolean isDisturbed() {
    boolean felt =
        !work.knowsQueue() || work.queuedShare() > DISTURBING || isMuch(Stall.Cause.OTHER);
    return (isBusy() && felt) || work.queues();
  }

  private Advice idleMachine() {
    return new Advice(
        Cause.BUSY_MACHINE,
        "Repeat the run while the machine is idle",
        "",
        (run.otherProcessors().isPresent()
                ? "Other processes kept %s of %s busy"
                    .formatted(
                        number(run.otherProcessors().getAsDouble()),
                        Counts.of(run.processors(), "processor"))
                : "Workers")
            + (work.knowsQueue()
                ? "%s queued for a processor for %s of their stages' time"
                    .formatted(
                        run.otherProcessors().isPresent() ? ", and workers" : "",
                        Counts.percent(work.queuedShare()))
                : "")
            + ": all figures here are longer for it.");
  }

  private boolean isMuch(Stall.Cause cause) {
    return seconds(total.stalls().of(cause).waited()) >= MUCH * waited
        && total.stalls().of(cause).count() > 0;
  }

  /** Returns the share of the workers' time in which they may begin no batch. */
  private double roomShare() {
    double all = elapsed * Math.max(1, run.workers());
    return all == 0 ? 0 : seconds(total.workers().waitedForRoom()) / all;
  }

  /**
   * Tests whether workers wait for room, and the consumer for them: beside stalls of other causes.
   */
  private boolean lacksRoom() {
    double otherwise =
        total.stalls().byCause().entrySet().stream()
            .filter(
                each ->
                    each.getKey() != Stall.Cause.NO_ROOM
                        && each.getKey() != Stall.Cause.SLOW_SAMPLE)
            .mapToDouble(each -> seconds(each.getValue().waited()))
            .sum();
    return roomShare() > MUCH && waited - otherwise > LITTLE * elapsed;
  }

  /** Tests whether single samples are waited for, by workers that are not busy with the others. */
  private boolean hasTimeForSlowSamples() {
    return roomShare() > MUCH && isMuch(Stall.Cause.SLOW_SAMPLE);
  }

  // ---- stalls -----------------------------------------------------------------------------------

  /** Adds the advice against stalls. Returns the largest share of the waiting that one explains. */
  private double judgeStalls(boolean busy) {
    double explained = 0;
    for (Map.Entry<Stall.Cause, Stalls.Sum> each : total.stalls().byCause().entrySet()) {
      Stall.Cause cause = each.getKey();
      if (isMuch(cause)) {
        double share = seconds(each.getValue().waited()) / waited;
        explained = Math.max(explained, cause == Stall.Cause.OTHER ? 0 : share);
        addAgainst(
            cause,
            "%s of %s of waiting, in %s."
                .formatted(
                    Durations.words(each.getValue().waited()),
                    words(waited),
                    Counts.of(each.getValue().count(), "stall")),
            busy);
      }
    }
    return explained;
  }

  private void addAgainst(Stall.Cause cause, String why, boolean busy) {
    switch (cause) {
      case NO_ROOM ->
          add(
              Cause.ROOM,
              "Prepare more batches ahead",
              prefetch(2 * run.prefetch()),
              "Workers waited, since no more batches were allowed: " + why);
      case SLOW_SAMPLE -> {
        String slow = "Single samples took at least five times as long as others: " + why;
        if (hasTimeForSlowSamples()) {
          add(
              Cause.SLOW_SAMPLES,
              "Look at the samples that are named below, or have more batches ready for them",
              prefetch(PATIENT * run.prefetch()),
              slow);
        } else {
          add(
              Cause.SLOW_SAMPLES,
              "Look at the samples that are named below",
              "",
              slow + " Workers had no time to spare, so more batches ahead do not help.");
        }
      }
      case START_UP ->
          add(
              Cause.START_UP,
              "Begin to load before the training is ready",
              ".prefetchFirstEpoch(true)",
              "The first batch of an iteration had not been prepared: " + why);
      case BATCH_TRANSFORM, COLLATE ->
          addWholeBatches("One worker did it for each batch alone (%s): %s".formatted(cause, why));
      case DEVICE_COPY ->
          add(
              Cause.DEVICE_COPY,
              "Copy from page-locked memory, and fewer bytes",
              ".allocator(PinnedAllocator...)",
              "The copy to the device was late: " + why);
      case OTHER -> addAgainstOther(why, busy);
      default -> {
        // A stage, which is judged by its work.
      }
    }
  }

  private void addWholeBatches(String why) {
    add(
        Cause.WHOLE_BATCHES,
        "Move work from the whole batch to its samples, which workers share",
        "dataset.map(...)",
        why);
  }

  private void addAgainstOther(String why, boolean busy) {
    double collected = listed(Stages.COLLECTOR);
    if (collected > 0 && collected >= MUCH * listed("")) {
      if (run.collectingShare() <= DISTURBING) {
        addMemory(
            "The garbage collector stopped all threads in stalls of %s, of these: %s"
                .formatted(words(collected), why));
      }
    } else if (!busy) {
      add(
          Cause.STOPPED,
          "Find out what held up the process",
          "",
          "Nothing that the loader did explains it: " + why);
    }
  }

  /** The time of those of the longest unexplained stalls whose evidence begins with some words. */
  private double listed(String words) {
    return run.longestStalls().stream()
        .filter(each -> each.cause() == Stall.Cause.OTHER && each.detail().startsWith(words))
        .mapToDouble(each -> seconds(each.waited()))
        .sum();
  }

  private static String prefetch(int batches) {
    return ".prefetch(" + batches + ")";
  }

  // ---- stages -----------------------------------------------------------------------------------

  /** The workers' time in stages, in seconds: on a processor, queued for one, or waiting. */
  private final class Work {
    private final double all;
    private final double cpu;
    private final double queued;

    Work() {
      List<EpochStats.Stage> stages = total.stages();
      this.all = stages.stream().mapToDouble(each -> seconds(each.elapsed())).sum();
      this.cpu = stages.stream().mapToDouble(each -> seconds(each.cpu())).sum();
      this.queued = stages.stream().mapToDouble(each -> seconds(each.queued())).sum();
    }

    double queuedShare() {
      return all == 0 ? 0 : queued / all;
    }

    /** Returns the time without that in the queue for a processor. */
    double own() {
      return all - queued;
    }

    /** Returns the share of the workers' time that stages had. */
    double occupancy() {
      double possible = elapsed * Math.max(1, run.workers());
      return Math.max(total.workers().occupancy(), possible == 0 ? 0 : all / possible);
    }

    /** Tests whether workers queued for processors that the stages do not use. */
    boolean queues() {
      return queuedShare() > MUCH && hasProcessors();
    }

    /** Tests whether it is known how long workers queued for a processor. */
    boolean knowsQueue() {
      return queued > 0;
    }

    /** Tests whether the stages left processors free. */
    boolean hasProcessors() {
      return processors() < FULL * run.processors();
    }

    /** Returns how many processors the stages kept busy. */
    double processors() {
      return elapsed == 0 ? 0 : cpu / elapsed;
    }
  }

  private static double own(EpochStats.Stage stage) {
    return seconds(stage.elapsed()) - seconds(stage.queued());
  }

  /** Returns how long a stage waited for storage or locks, without queues and collections. */
  private double waiting(EpochStats.Stage stage) {
    return Math.max(0, seconds(stage.waiting()) - run.collectingShare() * seconds(stage.elapsed()));
  }

  private boolean waitsToRead() {
    return seconds(total.workers().waitedToRead()) > MUCH * elapsed * Math.max(1, run.workers());
  }

  /** Tests whether workers wait for a lock of the user's, one of them after the other. */
  private boolean contends() {
    return total.workers().contention() > MUCH && !waitsToRead();
  }

  /** Adds the advice about the workers' time. Returns the share of it that is explained. */
  private double judgeWork() {
    if (lacksRoom()) {
      // Long stages do not matter while workers may not begin a batch.
      if (advice.stream().noneMatch(each -> each.option().startsWith(".prefetch("))) {
        add(
            Cause.ROOM,
            "Prepare more batches ahead",
            prefetch(Math.max(2 * run.prefetch(), run.workers())),
            "Workers waited %s, since no more batches were allowed, while the consumer waited for one."
                .formatted(Durations.words(total.workers().waitedForRoom())));
      }
      return roomShare();
    }
    return !hasTimeForSlowSamples() && (work.occupancy() >= MUCH || waitsToRead())
        ? judgeStages()
        : 0;
  }

  private double judgeStages() {
    double explained = 0;
    if (waitsToRead()) {
      explained = MUCH;
      add(
          Cause.STREAM,
          "Move work from the stream to functions of map, which workers share",
          "stream.map(\"NAME\", transform)",
          "One worker at a time reads a stream, and workers waited %s for each other."
              .formatted(Durations.words(total.workers().waitedToRead())));
    }
    EpochStats.Stage most = null;
    for (EpochStats.Stage stage : total.stages()) {
      most = most == null || own(stage) > own(most) ? stage : most;
    }
    if (contends()) {
      add(
          Cause.LOCK,
          "Let workers make samples at the same time: most wait for a lock that one of them holds",
          "jcmd PID Thread.print",
          "%s of the workers waited for such a lock, so more workers would wait too%s. Stacks of the threads show where."
              .formatted(
                  Counts.percent(total.workers().contention()),
                  most == null ? "" : "; '%s' takes most of their time".formatted(most.name())));
      return total.workers().contention();
    }
    if (most == null || own(most) < MUCH * work.own()) {
      return explained;
    }
    String share =
        "%s had %s of the workers' %s in stages"
            .formatted(most.name(), Counts.percent(own(most) / work.own()), words(work.own()));
    String where = "on a processor";
    if (waiting(most) > own(most) / 2) {
      // Where the queue is not known, the rest may as well have been spent in it.
      if (work.knowsQueue() || (work.cpu > 0 && work.hasProcessors())) {
        addAgainstWaiting(most, share);
        return own(most) / work.all;
      }
      if (work.cpu == 0) {
        return explained;
      }
      where = "on a processor or in the queue for one";
    }
    if (work.hasProcessors() && run.workers() < run.processors()) {
      add(
          Cause.WORKERS,
          "Use all processors",
          ".numWorkers(" + run.processors() + ")",
          "%s kept %s of %s busy; %s."
              .formatted(
                  Counts.of(run.workers(), "worker"),
                  number(work.processors()),
                  Counts.of(run.processors(), "processor"),
                  share));
    }
    addAgainstComputing(most, share + ", " + where);
    return own(most) / work.all;
  }

  /** A stage that waits for something other than a processor: more at once, or fewer waits. */
  private void addAgainstWaiting(EpochStats.Stage most, String share) {
    String why =
        "%s, and waited for storage or locks for %s of that."
            .formatted(share, Counts.percent(waiting(most) / own(most)));
    boolean inTurns = waitsToRead();
    if (run.workers() < MANY_WORKERS && !run.isAuto() && !inTurns) {
      int workers = Math.min(MANY_WORKERS, MORE_WORKERS * Math.max(1, run.workers()));
      add(
          Cause.WAITING,
          ofBatches(most)
              ? "Let more workers wait at once, each for a batch of its own"
              : "Let more workers wait at once",
          ofBatches(most)
              ? ".numWorkers(" + workers + ")" + prefetch(workers)
              : ".numWorkers(%d), or .numWorkers(DataLoader.AUTO)".formatted(workers),
          why);
    }
    if (most.name().equals("reading") && total.bytesRead() > 0 && !inTurns) {
      add(
          Cause.WAITING,
          "Pack small files, so that a read brings many samples",
          "feedline convert DATA DATA-packed --to webdataset",
          why);
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

  private static boolean ofBatches(EpochStats.Stage stage) {
    return stage.name().equals("collating") || stage.name().equals("batch transform");
  }

  /** Work of the program's own; transforms without a name are one stage. */
  private void addFaster(Cause cause, EpochStats.Stage stage, String why) {
    switch (stage.name()) {
      case "transforming" ->
          add(
              cause,
              "Make the transforms faster, or do them once before the training; a name shows one by itself",
              "dataset.map(\"NAME\", transform)",
              why);
      case "reading" ->
          add(
              cause,
              "Make the dataset itself faster: 'reading' is the time of its get, or of its stream",
              "",
              why);
      default ->
          add(
              cause,
              "Make '%s' faster, or do it once before the training".formatted(stage.name()),
              "",
              why);
    }
  }

  private void addAgainstComputing(EpochStats.Stage most, String share) {
    String why =
        "%s. Stages kept %s of %s busy."
            .formatted(share, number(work.processors()), Counts.of(run.processors(), "processor"));
    switch (most.name()) {
      case "decoding" ->
          add(
              Cause.PROCESSORS,
              "Store smaller images, if they are much larger than the crops",
              "feedline convert DATA DATA-small --to webdataset --resize 256",
              why);
      case "writing" ->
          add(
              Cause.PROCESSORS,
              "Write bytes, and normalize on the device",
              "ToTensor.builder().dtype(DType.UINT8), normalizeOnDevice",
              why);
      default -> {
        if (most.name().equals("reading") && total.bytesRead() > 0) {
          add(
              Cause.PROCESSORS,
              "Pack small files: opening one takes the processor longer than reading it",
              "feedline convert DATA DATA-packed --to webdataset",
              why);
        } else if (!ofBatches(most)) {
          addFaster(Cause.PROCESSORS, most, why);
        } else if (advice.stream().noneMatch(each -> each.cause() == Cause.WHOLE_BATCHES)) {
          addWholeBatches("One worker does it for each batch alone: " + why);
        }
      }
    }
  }

  /** Adds the change to try where no figure stands out. */
  private void addWithoutCause() {
    double batch = total.batches() == 0 ? 0 : work.all / total.batches();
    String share =
        "The consumer waited %s of its time, and ".formatted(Counts.percent(total.waitingShare()));
    if (run.workers() > 0 && batch > 0 && batch < CHEAP) {
      add(
          Cause.CHEAP_SAMPLES,
          "Make samples in the training's own thread, or take larger batches",
          ".numWorkers(0)",
          "A batch takes %s to make, and its way from a worker about as long."
              .formatted(words(batch)));
    } else if (run.isAuto()) {
      add(
          Cause.UNKNOWN,
          "Look at the charts: no change follows from the figures alone",
          "",
          share + "the loader has chosen %s.".formatted(Counts.of(run.workers(), "worker")));
    } else {
      add(
          Cause.UNKNOWN,
          "Let the loader find the number of workers",
          ".numWorkers(DataLoader.AUTO)",
          share + "no stage stands out.");
    }
  }

  // ---- words ------------------------------------------------------------------------------------

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
