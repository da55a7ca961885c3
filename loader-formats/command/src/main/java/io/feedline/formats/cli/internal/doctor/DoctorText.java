package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.internal.Counts;
import io.feedline.stats.Bottleneck;
import io.feedline.stats.EpochStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The findings for people: the answer, why, what to change, and where an image's time went. */
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
    text.tried();
    text.numbers();
    return text.lines;
  }

  private void line(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }

  private void answer() {
    String come = rate();
    if (found.enough()) {
      line(
          "Loading is fast enough: %s images/s come, and %s are needed.",
          come, count(found.need()));
      line(
          "Bottleneck: none, the step is slower. With %s %s of the loader's images/s are used.",
          workers(), Output.percent(found.need() / found.trial().imagesPerSecond()));
    } else {
      line(
          "The GPU waits for data: %s images/s come, and %s are needed. It computes at most %s of the time.",
          come, count(found.need()), Output.percent(found.busy()));
      lines.add(bottleneck());
    }
    found
        .trial()
        .firstEpoch()
        .ifPresent(
            first ->
                line(
                    "The first epoch loads %s images/s, later ones %s.",
                    count(first), count(found.trial().imagesPerSecond())));
    if (found.busyMachine()) {
      line(
          "Other processes kept %s of %s processors busy: all rates are ranges, and gains may differ; measure again when the machine is idle.",
          factor(found.others().orElse(0)), found.record().processors());
    }
  }

  private String bottleneck() {
    if (found.asked().workers() == 0) {
      return "Bottleneck: workers. Without them the training's own thread loads each batch, and the GPU stands still meanwhile.";
    }
    return found
        .bottleneck()
        .map(
            advice ->
                "Bottleneck: %s. %s%s"
                    .formatted(
                        Output.name(advice.cause()),
                        advice.evidence(),
                        advice.cause() == Bottleneck.Cause.LOCK
                            ? " %s: %s.".formatted(advice.change(), advice.option())
                            : ""))
        .orElse("Bottleneck: unknown. No figure stands out.");
  }

  private String workers() {
    return found.asked().workers() == 0
        ? "the training's own thread"
        : Counts.of(found.asked().workers(), "worker");
  }

  /** The rate of the run as it was measured; a range on a busy machine. */
  private String rate() {
    Trial trial = found.trial();
    String least = count(trial.least());
    String most = count(trial.most());
    return found.busyMachine() && !least.equals(most)
        ? least + "-" + most
        : count(trial.imagesPerSecond());
  }

  private void changes() {
    if (found.enough()) {
      lines.add(
          "The step time that you give must not include waiting for data: measure it with"
              + " DataLoader.replay().");
      return;
    }
    if (!found.made().isEmpty()) {
      lines.add(
          "What to change, each by itself, with the gain that came in turns with the loader as it is:");
      found
          .made()
          .forEach(
              change ->
                  line("  %s: %s", came(found.attempts().get(change.name())), change.words()));
    }
    if (!found.untried().isEmpty()) {
      lines.add("Not tried, since it is to be written first, or is your program's:");
      found.untried().forEach(change -> line("  %s", change.words()));
    }
  }

  /** The changes that the user has named. */
  private void tried() {
    List<String> own = found.changes().stream().map(Change::name).toList();
    List<String> named =
        found.attempts().keySet().stream().filter(name -> !own.contains(name)).toList();
    if (!named.isEmpty()) {
      lines.add("Tried, each in turns with the loader as it is:");
      named.forEach(name -> line("  %-24s %s", name, came(found.attempts().get(name))));
    }
    if (found.attempts().values().stream().anyMatch(each -> !each.isClear())) {
      lines.add("Longer turns show whether a gain was by chance: raise --seconds.");
    }
  }

  private static String came(Tries.Attempt attempt) {
    return "x %s (%s to %s)%s, %s images/s"
        .formatted(
            factor(attempt.gain()),
            factor(attempt.least()),
            factor(attempt.most()),
            attempt.isClear() ? "" : ", perhaps by chance",
            count(attempt.imagesPerSecond()));
  }

  private void numbers() {
    lines.add("");
    line(
        "%s: %s, %s of %s on average; pipeline %s; batches of %s in %s",
        found.path(),
        found.format(),
        Counts.of(found.asked().images().size(), "image"),
        ByteSize.words(Math.round(found.imageBytes())),
        found.asked().pipeline().name(),
        found.asked().batchSize(),
        TimeSpan.words(found.stepTime().toNanos() / 1e9));
    line(
        "An image takes of a thread: %s.",
        found.stages().stream().map(this::stage).collect(Collectors.joining("; ")));
    line(
        "%s%s.",
        Counts.of(found.record().processors(), "processor"),
        found.others().isPresent()
            ? ", of which other processes kept %s busy"
                .formatted(factor(found.others().getAsDouble()))
            : "");
  }

  private String stage(EpochStats.Stage stage) {
    return "%s %s, on a processor for %s and waiting for %s"
        .formatted(
            stage.name(),
            time(found.perImage(stage.elapsed())),
            time(found.perImage(stage.cpu())),
            time(found.perImage(stage.waiting())));
  }

  private static String time(double seconds) {
    return TimeSpan.words(seconds);
  }

  /** A number with three digits or so. */
  private static String count(double value) {
    return String.format(
        Locale.ROOT, value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
  }

  private static String factor(double value) {
    return String.format(Locale.ROOT, value < 9.995 ? "%.2f" : "%.1f", value);
  }
}
