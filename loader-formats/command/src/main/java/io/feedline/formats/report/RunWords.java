package io.feedline.formats.report;

import io.feedline.internal.JsonMembers;
import io.feedline.stats.Bottleneck;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The figures of a run in sentences, for its page. */
final class RunWords {

  private final RunRecord run;

  RunWords(RunRecord run) {
    this.run = run;
  }

  String badge() {
    return run.serviceLevel()
        .map(level -> level.kept() ? "Keeps up" : "Falls behind")
        .orElse("Not judged");
  }

  String badgeStyle() {
    return run.serviceLevel().map(level -> level.kept() ? "good" : "bad").orElse("unknown");
  }

  List<String> verdict() {
    List<String> sentences = new ArrayList<>();
    LoaderStats.Epoch total = run.total();
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
    Duration startUp = total.stalls().of(Stalls.Cause.START_UP).waited();
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
    // The cause is left out: the page shows it below, with the advice.
    String verdict =
        new ServiceLevel.Report(level.level(), level.batches(), level.inTime(), "").toString();
    return Character.toUpperCase(verdict.charAt(0))
        + verdict.substring(1)
        + "."
        + (run.isStepMeasured()
            ? " No step time was given: %s is what the consumer took for a batch, on average."
                .formatted(Html.time(level.level().stepTime()))
            : "");
  }

  /** Returns a sentence about the threads that used the process's CPU time; empty if unknown. */
  String processor() {
    if (run.processorTime().isEmpty()) {
      return "";
    }
    JsonMembers time = new JsonMembers("processor", run.processorTime());
    double workers = time.number("workers_seconds");
    double threads = time.number("other_threads_seconds");
    double stages =
        run.total().stages().stream().mapToDouble(each -> each.cpu().toNanos() / 1e9).sum();
    // Without workers the stages run in the consumer's thread.
    return "Processors worked %s for the process: %s in stages%s, %s in other threads, the training's among them, and %s in the JVM's compiler and collector and threads that have ended."
        .formatted(
            Html.time(time.number("process_seconds")),
            Html.time(stages),
            workers == 0
                ? ""
                : ", %s in workers beside them".formatted(Html.time(Math.max(0, workers - stages))),
            Html.time(Math.max(0, workers == 0 ? threads - stages : threads)),
            Html.time(Math.max(0, time.number("process_seconds") - workers - threads)));
  }
}
