package io.feedline.formats.report;

import io.feedline.internal.JsonMembers;
import io.feedline.stats.Bottleneck;
import io.feedline.stats.EpochStats;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The figures of a run, in sentences. */
final class RunWords {

  private final RunRecord run;

  RunWords(RunRecord run) {
    this.run = run;
  }

  /** Returns the state of the level, in a word or two. */
  String badge() {
    return run.serviceLevel()
        .map(level -> level.kept() ? "Keeps up" : "Falls behind")
        .orElse("Not judged");
  }

  /** The name of the badge's style. */
  String badgeStyle() {
    return run.serviceLevel().map(level -> level.kept() ? "good" : "bad").orElse("unknown");
  }

  /** The verdict, the most important sentence first. */
  List<String> verdict() {
    List<String> sentences = new ArrayList<>();
    EpochStats total = run.total();
    if (total.waits().count() == 0) {
      sentences.add("No batch has been delivered.");
      return sentences;
    }
    sentences.add(
        "The consumer waited for batches %s of the time, %s of %s%s."
            .formatted(
                Html.percent(total.waitingShare()),
                Html.time(total.waits().total()),
                Html.time(total.elapsed()),
                run.bottleneck().cause() == Bottleneck.Cause.NONE
                    ? ": a faster loader would gain little"
                    : ""));
    Duration startUp = total.stalls().of(Stall.Cause.START_UP).waited();
    if (startUp.compareTo(total.waits().total().dividedBy(2)) > 0) {
      sentences.add(
          "Of that, %s went into beginning, when nothing had been prepared: a longer run pays it once."
              .formatted(Html.time(startUp)));
    }
    run.serviceLevel().ifPresent(level -> sentences.add(level(level)));
    if (!run.device().isEmpty()) {
      JsonMembers device = new JsonMembers("device", run.device());
      sentences.add(
          "On the device the training waited %s for data; copies (%s) took %s."
              .formatted(
                  Html.time(device.time("waited_seconds")),
                  device.string("transfer"),
                  Html.time(device.time("copying_seconds"))));
    }
    if (total.failures() + total.tolerated() > 0) {
      sentences.add(
          "%s ended in an error; %s skipped or substituted."
              .formatted(
                  Html.count(total.failures(), "batch"),
                  Html.count(total.tolerated(), "broken sample")));
    }
    return sentences;
  }

  private String level(ServiceLevel.Report level) {
    String verdict = level.toString();
    return Character.toUpperCase(verdict.charAt(0))
        + verdict.substring(1)
        + "."
        + (run.isStepMeasured()
            ? " No step time was given: %s is what the consumer took for a batch, on average."
                .formatted(Html.time(level.level().stepTime()))
            : "");
  }

  // ---- what the charts show, for those who do not see them ------------------------------------

  String timeline() {
    EpochStats.Waits waits = run.total().waits();
    return "Stacked areas of the time of %s: waiting for the batch, %s at the median and %s at most, and computing."
        .formatted(
            Html.count(waits.count(), "step"), Html.time(waits.p50()), Html.time(waits.max()));
  }

  String waits() {
    EpochStats.Waits waits = run.total().waits();
    return "Histogram of %s: half up to %s, 99%% up to %s, the longest %s%s."
        .formatted(
            Html.count(waits.count(), "wait"),
            Html.time(waits.p50()),
            Html.time(waits.p99()),
            Html.time(waits.max()),
            run.serviceLevel()
                .map(level -> "; a line at t, " + Html.time(level.level().stepTime()))
                .orElse(""));
  }

  String throughput() {
    return "Line of the samples per second over the time of the run; on average %s."
        .formatted(Html.number(run.total().samplesPerSecond()));
  }

  String stages() {
    return run.total().stages().stream()
        .max(Comparator.comparing(EpochStats.Stage::elapsed))
        .map(
            most ->
                "Bars of the workers' time by stage; the longest is %s with %s."
                    .formatted(most.name(), Html.time(most.elapsed())))
        .orElse("No stage was measured.");
  }

  /** Returns where the processor time of the process went; empty if that is unknown. */
  String processor() {
    return run.processorTime()
        .map(
            time ->
                "Processors worked %s for the process: %s in stages%s, %s in other threads, the training's among them, and %s in the JVM's compiler and collector and threads that have ended."
                    .formatted(
                        Html.time(time.process()),
                        Html.time(time.stages()),
                        time.workers() == 0
                            ? ""
                            : ", %s in workers beside them".formatted(Html.time(time.beside())),
                        Html.time(time.otherThreads()),
                        Html.time(time.jvm())))
        .orElse("");
  }

  String stalls() {
    return run.total()
        .stalls()
        .worst()
        .map(
            worst ->
                "Bars of the time in stalls by cause; the longest is %s with %s."
                    .formatted(worst, Html.time(run.total().stalls().of(worst).waited())))
        .orElse("There was no stall.");
  }

  String occupancy() {
    EpochStats total = run.total();
    return "Lines over the steps, in percent: batches that were ready, on average %s; slots in use, %s; workers busy, %s."
        .formatted(
            Html.percent(total.readiness()),
            Html.percent(total.slotsInUse()),
            Html.percent(total.workers().occupancy()));
  }
}
