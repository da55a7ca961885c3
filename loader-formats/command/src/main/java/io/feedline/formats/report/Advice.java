package io.feedline.formats.report;

import io.feedline.stats.Stalls.Stall;
import java.util.ArrayList;
import java.util.List;

/**
 * The changes that a record by itself speaks for, the most important one first. No gain is
 * promised: a record tells where time went, and not how long other work would take.
 *
 * @param change in words
 * @param paste an option or a command to paste, or an empty text
 * @param reason the figures that speak for it
 */
record Advice(String change, String paste, String reason) {

  /** The share of the time below which waiting is not worth a change. */
  private static final double LITTLE = 0.02;

  /** The share of the workers' time, or of the processors, that names a cause. */
  private static final double MUCH = 0.3;

  /** The share of the processors, or of the time, that others may have. */
  private static final double BUSY = 0.1;

  /** The length of a run, in seconds, below which it tells only of the start. */
  private static final double BRIEF = 1;

  /** Reads that wait are worth so many times as many workers, as long as there are few. */
  private static final int MORE_WORKERS = 4;

  private static final int MANY_WORKERS = 64;

  /** The seconds of work in a batch below which workers are not worth their price. */
  private static final double CHEAP = 200e-6;

  private static final String PREFETCH = ".prefetch(";

  /** So many times as many batches ahead cover a slow sample. */
  private static final int PATIENT = 4;

  /** Returns the advice that follows from a record; one or more. */
  static List<Advice> of(Run run) {
    Run.Epoch total = run.total();
    if (total.waits().count() == 0) {
      return List.of(new Advice("Take a batch", "", "No batch has been delivered."));
    }
    if (total.waitingShare() < LITTLE) {
      return List.of(
          new Advice(
              "Leave the loader as it is, and look at the training",
              "",
              "The consumer waited %s of its time.".formatted(Html.percent(total.waitingShare()))));
    }
    List<Advice> all = new ArrayList<>();
    Work work = Work.of(run);
    fromCircumstances(run, work, all);
    fromStalls(run, isBusy(run) || work.queues(run), all);
    if (!isBrief(run)) {
      fromWork(run, work, all);
    }
    if (all.isEmpty()) {
      all.add(withoutCause(run, work));
    }
    return all;
  }

  private static boolean isBrief(Run run) {
    return run.total().elapsed() < BRIEF;
  }

  private static boolean isBusy(Run run) {
    return run.otherProcessors().orElse(0) > BUSY * run.processors();
  }

  /** Adds the advice about circumstances that make all figures of the record longer. */
  private static void fromCircumstances(Run run, Work work, List<Advice> all) {
    if (isBrief(run)) {
      all.add(
          new Advice(
              "Record a longer run",
              "",
              "This one took %s, in which threads start and the JVM compiles."
                  .formatted(Html.time(run.total().elapsed()))));
    }
    boolean felt =
        !work.knowsQueue()
            || work.queuedShare() > BUSY
            || run.causes().stream().anyMatch(cause -> isMuch(run, cause, Stall.Cause.OTHER));
    if ((isBusy(run) && felt) || work.queues(run)) {
      all.add(
          new Advice(
              "Repeat the run while the machine is idle",
              "",
              others(run)
                  + " queued for a processor for %s of their stages' time: all figures here are longer for it."
                      .formatted(Html.percent(work.queuedShare()))));
    }
    if (run.collectingShare() > BUSY) {
      all.add(
          memory(
              "The garbage collector stopped all threads for %s of the time."
                  .formatted(Html.percent(run.collectingShare()))));
    }
  }

  private static void fromWork(Run run, Work work, List<Advice> all) {
    if (lacksRoom(run)) {
      // Long stages do not matter while workers may not begin a batch.
      if (all.stream().noneMatch(advice -> advice.paste().startsWith(PREFETCH))) {
        all.add(
            new Advice(
                "Prepare more batches ahead",
                PREFETCH + Math.round(Math.max(2 * run.prefetch(), run.workers())) + ")",
                "Workers waited %s, since no more batches were allowed, while the consumer waited for one."
                    .formatted(Html.time(run.total().waitedForRoom()))));
      }
    } else if (!hasTimeForSlowSamples(run) && (work.occupancy(run) >= MUCH || waitsToRead(run))) {
      fromStages(run, work, all);
    }
  }

  /** Returns the change to try where no figure stands out. */
  private static Advice withoutCause(Run run, Work work) {
    Run.Epoch total = run.total();
    double batch = total.batches() == 0 ? 0 : work.elapsed() / total.batches();
    if (run.workers() > 0 && batch > 0 && batch < CHEAP) {
      return new Advice(
          "Make samples in the training's own thread, or take larger batches",
          ".numWorkers(0)",
          "A batch takes %s to make, and its way from a worker about as long."
              .formatted(Html.time(batch)));
    }
    String waited =
        "The consumer waited %s of its time, and ".formatted(Html.percent(total.waitingShare()));
    return run.isAuto()
        ? new Advice(
            "Look at the charts: no change follows from the figures alone",
            "",
            waited + "the loader has chosen %s.".formatted(Html.count(run.workers(), "worker")))
        : new Advice(
            "Let the loader find the number of workers",
            ".numWorkers(DataLoader.AUTO)",
            waited + "no stage stands out.");
  }

  /** The begin of a sentence about workers that queue: what is known of other processes. */
  private static String others(Run run) {
    return run.otherProcessors().isPresent()
        ? "Other processes kept %s of %s busy, and workers"
            .formatted(
                Html.number(run.otherProcessors().getAsDouble()),
                Html.count(run.processors(), "processor"))
        : "Workers";
  }

  private static boolean isMuch(Run run, Run.Cause cause, Stall.Cause which) {
    return cause.is(which) && cause.waited() >= MUCH * run.total().waits().total();
  }

  /**
   * Tests whether workers wait for room, and the consumer for them: beside stalls of other causes.
   */
  private static boolean lacksRoom(Run run) {
    double otherwise =
        run.causes().stream()
            .filter(cause -> !cause.is(Stall.Cause.NO_ROOM) && !cause.is(Stall.Cause.SLOW_SAMPLE))
            .mapToDouble(Run.Cause::waited)
            .sum();
    return roomShare(run) > MUCH
        && run.total().waits().total() - otherwise > LITTLE * run.total().elapsed();
  }

  /** Returns the share of the workers' time in which they may begin no batch. */
  private static double roomShare(Run run) {
    double workersTime = run.total().elapsed() * Math.max(1, run.workers());
    return workersTime == 0 ? 0 : run.total().waitedForRoom() / workersTime;
  }

  /** Tests whether single samples are waited for, by workers that are not busy with the others. */
  private static boolean hasTimeForSlowSamples(Run run) {
    return roomShare(run) > MUCH
        && run.causes().stream().anyMatch(cause -> isMuch(run, cause, Stall.Cause.SLOW_SAMPLE));
  }

  private static Advice memory(String why) {
    return new Advice(
        "Give the JVM more memory, or a collector with short pauses", "-Xmx or -XX:+UseZGC", why);
  }

  // ---- stalls ---------------------------------------------------------------------------------

  private static void fromStalls(Run run, boolean busy, List<Advice> all) {
    double waited = run.total().waits().total();
    for (Run.Cause cause : run.causes()) {
      if (cause.waited() < MUCH * waited) {
        continue;
      }
      String why =
          "%s of %s of waiting, in %s."
              .formatted(
                  Html.time(cause.waited()), Html.time(waited), Html.count(cause.count(), "stall"));
      if (cause.is(Stall.Cause.NO_ROOM)) {
        all.add(
            new Advice(
                "Prepare more batches ahead",
                PREFETCH + Math.round(2 * run.prefetch()) + ")",
                "Workers waited, since no more batches were allowed: " + why));
      } else if (cause.is(Stall.Cause.SLOW_SAMPLE)) {
        String slow = "Single samples took at least five times as long as others: " + why;
        all.add(
            hasTimeForSlowSamples(run)
                ? new Advice(
                    "Look at the samples that are named below, or have more batches ready for them",
                    PREFETCH + Math.round(PATIENT * run.prefetch()) + ")",
                    slow)
                : new Advice(
                    "Look at the samples that are named below",
                    "",
                    slow + " Workers had no time to spare, so more batches ahead do not help."));
      } else if (cause.is(Stall.Cause.START_UP)) {
        all.add(
            new Advice(
                "Begin to load before the training is ready",
                ".prefetchFirstEpoch(true)",
                "The first batch of an iteration had not been prepared: " + why));
      } else if (cause.is(Stall.Cause.BATCH_TRANSFORM) || cause.is(Stall.Cause.COLLATE)) {
        all.add(
            new Advice(
                "Move work from the whole batch to its samples, which workers share",
                "dataset.map(...)",
                "One worker did it for each batch alone (%s): %s".formatted(cause.name(), why)));
      } else if (cause.is(Stall.Cause.DEVICE_COPY)) {
        all.add(
            new Advice(
                "Copy from page-locked memory, and fewer bytes",
                ".allocator(PinnedAllocator...)",
                "The copy to the device was late: " + why));
      } else if (cause.is(Stall.Cause.OTHER)) {
        // The words are those of loader-core's StallJudge.
        double collected = listed(run, cause, "the garbage collector");
        if (collected > 0 && collected >= MUCH * listed(run, cause, "")) {
          if (run.collectingShare() <= BUSY) {
            all.add(
                memory(
                    "The garbage collector stopped all threads in stalls of %s, of these: %s"
                        .formatted(Html.time(collected), why)));
          }
        } else if (!busy) {
          all.add(
              new Advice(
                  "Find out what held up the process",
                  "",
                  "Nothing that the loader did explains it: " + why));
        }
      }
    }
  }

  /** The time of those of the longest stalls of a cause whose evidence begins with some words. */
  private static double listed(Run run, Run.Cause cause, String words) {
    return run.longestStalls().stream()
        .filter(each -> each.cause().equals(cause.name()) && each.detail().startsWith(words))
        .mapToDouble(Run.Stall::waited)
        .sum();
  }

  // ---- stages ---------------------------------------------------------------------------------

  /** The workers' time in stages: on a processor, queued for one, or waiting. */
  private record Work(double elapsed, double cpu, double queued) {

    static Work of(Run run) {
      List<Run.Stage> stages = run.total().stages();
      return new Work(
          stages.stream().mapToDouble(Run.Stage::elapsed).sum(),
          stages.stream().mapToDouble(Run.Stage::cpu).sum(),
          stages.stream().mapToDouble(Run.Stage::queued).sum());
    }

    double queuedShare() {
      return elapsed == 0 ? 0 : queued / elapsed;
    }

    /** Returns the share of the workers' time that stages had. */
    double occupancy(Run run) {
      double all = run.total().elapsed() * Math.max(1, run.workers());
      return Math.max(run.total().workersOccupancy(), all == 0 ? 0 : elapsed / all);
    }

    /** Tests whether workers queued for processors that the stages do not use. */
    boolean queues(Run run) {
      return queuedShare() > MUCH && hasProcessors(run);
    }

    /** Tests whether it is known how long workers queued for a processor. */
    boolean knowsQueue() {
      return queued > 0;
    }

    /** Tests whether the stages left processors free. */
    boolean hasProcessors(Run run) {
      return processors(run) < 0.7 * run.processors();
    }

    /** Returns how many processors the stages kept busy. */
    double processors(Run run) {
      return run.total().elapsed() == 0 ? 0 : cpu / run.total().elapsed();
    }
  }

  private static boolean waitsToRead(Run run) {
    return run.total().waitedToRead() > MUCH * run.total().elapsed() * Math.max(1, run.workers());
  }

  /** Tests whether workers wait for a lock of the user's, one of them after the other. */
  private static boolean contends(Run run) {
    return run.total().contention() > MUCH && !waitsToRead(run);
  }

  /** Returns how long a stage waited for storage or locks, without queues and collections. */
  private static double waiting(Run run, Run.Stage stage) {
    return Math.max(0, stage.waiting() - run.collectingShare() * stage.elapsed());
  }

  private static void fromStages(Run run, Work work, List<Advice> all) {
    Run.Epoch total = run.total();
    if (waitsToRead(run)) {
      all.add(
          new Advice(
              "Move work from the stream to functions of map, which workers share",
              "stream.map(\"NAME\", transform)",
              "One worker at a time reads a stream, and workers waited %s for each other."
                  .formatted(Html.time(total.waitedToRead()))));
    }
    Run.Stage most = null;
    for (Run.Stage stage : total.stages()) {
      most = most == null || stage.own() > most.own() ? stage : most;
    }
    if (contends(run)) {
      all.add(
          new Advice(
              "Let workers make samples at the same time: most wait for a lock that one of them holds",
              "jcmd PID Thread.print",
              "%s of the workers waited for such a lock, so more workers would wait too%s. Stacks of the threads show where."
                  .formatted(
                      Html.percent(total.contention()),
                      most == null
                          ? ""
                          : "; '%s' takes most of their time".formatted(most.name()))));
      return;
    }
    if (most == null || most.own() < MUCH * (work.elapsed() - work.queued())) {
      return;
    }
    String share =
        "%s had %s of the workers' %s in stages"
            .formatted(
                most.name(),
                Html.percent(most.own() / (work.elapsed() - work.queued())),
                Html.time(work.elapsed() - work.queued()));
    String where = "on a processor";
    if (waiting(run, most) > most.own() / 2) {
      // Where the queue is not known, the rest may as well have been spent in it.
      if (work.knowsQueue() || (work.cpu() > 0 && work.hasProcessors(run))) {
        waits(run, most, share, all);
        return;
      }
      if (work.cpu() == 0) {
        return;
      }
      where = "on a processor or in the queue for one";
    }
    double used = work.processors(run);
    if (work.hasProcessors(run) && run.workers() < run.processors()) {
      all.add(
          new Advice(
              "Use all processors",
              ".numWorkers(" + Math.round(run.processors()) + ")",
              "%s kept %s of %s busy; %s."
                  .formatted(
                      Html.count(run.workers(), "worker"),
                      Html.number(used),
                      Html.count(run.processors(), "processor"),
                      share)));
    }
    computes(run, most, share + ", " + where, used, all);
  }

  /** A stage that waits for something other than a processor: more at once, or fewer waits. */
  private static void waits(Run run, Run.Stage most, String share, List<Advice> all) {
    String why =
        "%s, and waited for storage or locks for %s of that."
            .formatted(share, Html.percent(waiting(run, most) / most.own()));
    if (run.workers() < MANY_WORKERS && !run.isAuto() && !waitsToRead(run)) {
      int workers = (int) Math.min(MANY_WORKERS, MORE_WORKERS * Math.max(1, run.workers()));
      all.add(
          ofBatches(most)
              ? new Advice(
                  "Let more workers wait at once, each for a batch of its own",
                  ".numWorkers(" + workers + ")" + PREFETCH + workers + ")",
                  why)
              : new Advice(
                  "Let more workers wait at once",
                  ".numWorkers(%d), or .numWorkers(DataLoader.AUTO)".formatted(workers),
                  why));
    }
    if (most.name().equals("reading") && run.total().bytesRead() > 0 && !waitsToRead(run)) {
      all.add(
          new Advice(
              "Pack small files, so that a read brings many samples",
              "feedline convert DATA DATA-packed --to webdataset",
              why));
      if (run.epochs().size() > 1) {
        all.add(
            new Advice(
                "Keep a copy nearby for epochs after the first",
                "--cache DIR --cache-size 100G, or DiskCache",
                why));
      }
    } else if (!ofBatches(most)) {
      all.add(faster(most, why));
    }
  }

  private static boolean ofBatches(Run.Stage stage) {
    return stage.name().equals("collating") || stage.name().equals("batch transform");
  }

  /** Work of the program's own; transforms without a name are one stage. */
  private static Advice faster(Run.Stage stage, String why) {
    return switch (stage.name()) {
      case "transforming" ->
          new Advice(
              "Make the transforms faster, or do them once before the training; a name shows one by itself",
              "dataset.map(\"NAME\", transform)",
              why);
      case "reading" ->
          new Advice(
              "Make the dataset itself faster: 'reading' is the time of its get, or of its stream",
              "",
              why);
      default ->
          new Advice(
              "Make '%s' faster, or do it once before the training".formatted(stage.name()),
              "",
              why);
    };
  }

  private static void computes(
      Run run, Run.Stage most, String share, double used, List<Advice> all) {
    String why =
        "%s. Stages kept %s of %s busy."
            .formatted(share, Html.number(used), Html.count(run.processors(), "processor"));
    if (most.name().equals("decoding")) {
      all.add(
          new Advice(
              "Store smaller images, if they are much larger than the crops",
              "feedline convert DATA DATA-small --to webdataset --resize 256",
              why));
    } else if (most.name().equals("writing")) {
      all.add(
          new Advice(
              "Write bytes, and normalize on the device",
              "ToTensor.builder().dtype(DType.UINT8), normalizeOnDevice",
              why));
    } else if (most.name().equals("reading") && run.total().bytesRead() > 0) {
      all.add(
          new Advice(
              "Pack small files: opening one takes the processor longer than reading it",
              "feedline convert DATA DATA-packed --to webdataset",
              why));
    } else if (!ofBatches(most)) {
      all.add(faster(most, why));
    }
  }
}
