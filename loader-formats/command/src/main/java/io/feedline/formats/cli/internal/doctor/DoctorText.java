package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.internal.Counts;
import io.feedline.stats.LoaderStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The text of the findings: the answer, its reason, the changes, and an image's times. */
final class DoctorText {

  private final Findings found;
  private final List<String> lines = new ArrayList<>();

  private DoctorText(Findings found) {
    this.found = found;
  }

  static List<String> of(Findings found) {
    DoctorText text = new DoctorText(found);
    text.answer();
    text.changes();
    text.numbers();
    return text.lines;
  }

  private void line(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }

  private void answer() {
    String come = Counts.number(found.measuredImagesPerSecond());
    if (found.neededImagesPerSecond().isEmpty()) {
      line("%s images/s come. Whether that is enough, --batch-size and --step-time tell.", come);
    } else {
      String needed = Counts.number(found.neededImagesPerSecond().getAsDouble());
      if (found.enough()) {
        line("Loading is fast enough: %s images/s come, and %s are needed.", come, needed);
      } else {
        line(
            "The GPU waits for data: %s images/s come, and %s are needed. It computes at most %s of the time.",
            come, needed, Output.percent(found.busy().orElse(0)));
      }
    }
    line("Bottleneck: %s. %s", found.bottleneck(), found.evidence());
    if (found.enough()) {
      lines.add(
          "The step time that you give must not include waiting for data: measure it with"
              + " DataLoader.replay().");
    }
    found
        .firstEpochImagesPerSecond()
        .ifPresent(
            first ->
                line(
                    "The first epoch loads %s images/s, later ones %s.",
                    Counts.number(first), come));
    if (found.run().bottleneck().isMachineBusy()) {
      line(
          "Other processes kept %s of %s processors busy: rates and gains may differ; measure again when the machine is idle.",
          Counts.number(found.run().otherProcessors().orElse(0)), found.run().processors());
    }
  }

  private void changes() {
    if (!found.changes().isEmpty()) {
      lines.add(
          "What to change, each by itself, with the gain that came in turns with the loader as it is:");
      found.changes().forEach(each -> line("  %s: %s", came(each), each.words()));
    }
    if (!found.notTried().isEmpty()) {
      lines.add("Not tried, since it is to be written first, or is your program's:");
      found.notTried().forEach(each -> lines.add("  " + each));
    }
    if (!found.tried().isEmpty()) {
      lines.add("Tried, each in turns with the loader as it is:");
      found.tried().forEach(each -> line("  %-24s %s", each.change(), came(each)));
    }
    if (Stream.of(found.changes(), found.tried())
        .flatMap(List::stream)
        .anyMatch(each -> !each.clear())) {
      lines.add("Longer turns show whether a gain was by chance: raise --seconds.");
    }
  }

  private static String came(Tries.Attempt attempt) {
    return "x %s (%s to %s)%s, %s images/s"
        .formatted(
            Counts.number(attempt.measuredGain()),
            Counts.number(attempt.leastGain()),
            Counts.number(attempt.mostGain()),
            attempt.clear() ? "" : ", perhaps by chance",
            Counts.number(attempt.measuredImagesPerSecond()));
  }

  private void numbers() {
    lines.add("");
    line(
        "%s: %s, %s of %s on average; pipeline %s; %s; %s",
        found.path(),
        found.format(),
        Counts.of(found.images(), "image"),
        ByteSize.words(Math.round(found.imageBytes())),
        found.inputs().get("pipeline"),
        Counts.of(found.run().workers(), "worker"),
        Counts.of(found.run().processors(), "processor"));
    long broken = found.run().total().tolerated();
    if (broken > 0) {
      line("%s left out; feedline verify lists them.", Counts.of(broken, "broken image"));
    }
    line(
        "An image takes of a thread: %s.",
        found.run().total().stages().stream()
            .filter(stage -> !stage.name().equals(Trial.COUNTING))
            .map(this::stage)
            .collect(Collectors.joining("; ")));
  }

  private String stage(LoaderStats.Stage stage) {
    return "%s %s, on a processor for %s and waiting for %s"
        .formatted(
            stage.name(),
            perImage(stage.elapsed()),
            perImage(stage.cpu()),
            perImage(stage.waiting()));
  }

  private String perImage(Duration time) {
    return TimeSpan.words(time.toNanos() / 1e9 / Math.max(1, found.run().total().samples()));
  }
}
