package io.feedline.formats.report;

import io.feedline.internal.Stages;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** The comparison of two runs side by side: the settings that differ, and all figures. */
final class Comparison {

  private static final String ABSENT = "\u2013";
  private static final String SAME = "All options are the same.";

  private final RunRecord before;
  private final RunRecord after;

  Comparison(RunRecord before, RunRecord after) {
    this.before = before;
    this.after = after;
  }

  String html() {
    return "<section id=\"changed\"><h2>What changed</h2>\n<p>"
        + Html.text(sentence())
        + "</p>\n"
        + (options().isEmpty()
            ? "<p class=\"note\">" + SAME + "</p>\n"
            : Html.table("Options that differ", List.of("option", "before", "after"), options()))
        + "<details open><summary>Figures</summary>\n"
        + Html.table("Figures", List.of("figure", "before", "after", "times as much"), figures())
        + "</details></section>\n";
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>(List.of(sentence()));
    options().forEach(row -> lines.add(line(row)));
    if (options().isEmpty()) {
      lines.add("  " + SAME);
    }
    figures()
        .forEach(row -> lines.add(line(row) + (row.get(3).isEmpty() ? "" : "  x " + row.get(3))));
    return lines;
  }

  private static String line(List<String> row) {
    return "  %s: %s -> %s".formatted(row.get(0), row.get(1), row.get(2));
  }

  private String sentence() {
    double one = before.total().samplesPerSecond();
    double other = after.total().samplesPerSecond();
    String faster =
        one == 0
            ? "The earlier run of %s delivered nothing".formatted(Html.moment(before.created()))
            : "Against the run of %s,%s %s times as many samples a second came"
                .formatted(
                    Html.moment(before.created()),
                    before.created().compareTo(after.created()) > 0 ? " which is later," : "",
                    Html.number(other / one));
    List<String> apart = stagesOfOneAlone();
    if (one > 0 && !apart.isEmpty()) {
      faster +=
          ", by other work: only one of them has the stage%s %s"
              .formatted(apart.size() == 1 ? "" : "s", String.join(", ", apart));
    }
    boolean busy = before.bottleneck().isMachineBusy() || after.bottleneck().isMachineBusy();
    return one > 0 && busy
        ? faster
            + "; but other processes kept up to %s processors busy, so repeat both on an idle machine."
                .formatted(Html.number(Math.max(load(before), load(after))))
        : faster + ".";
  }

  /** Returns the user's stages that only one of the two runs has. */
  private List<String> stagesOfOneAlone() {
    Set<String> one = names(before.total());
    Set<String> other = names(after.total());
    Set<String> all = new TreeSet<>(one);
    all.addAll(other);
    all.removeIf(name -> one.contains(name) == other.contains(name) || Stages.isOwn(name));
    return List.copyOf(all);
  }

  private static Set<String> names(LoaderStats.Epoch epoch) {
    return epoch.stages().stream().map(LoaderStats.Stage::name).collect(Collectors.toSet());
  }

  private static double load(RunRecord run) {
    return run.otherProcessors().orElse(0);
  }

  private List<List<String>> figures() {
    List<List<String>> rows = new ArrayList<>();
    LoaderStats.Epoch one = before.total();
    LoaderStats.Epoch other = after.total();
    add(rows, "samples/s", one.samplesPerSecond(), other.samplesPerSecond(), Html::number);
    add(rows, "time spent waiting", one.waitingShare(), other.waitingShare(), Html::percent);
    add(rows, "wait, half up to", one.waits().p50(), other.waits().p50());
    add(rows, "wait, 99% up to", one.waits().p99(), other.waits().p99());
    add(rows, "longest wait", one.waits().max(), other.waits().max());
    add(
        rows,
        "workers' time in stages",
        one.workers().occupancy(),
        other.workers().occupancy(),
        Html::percent);
    Set<String> stages = new TreeSet<>(names(one));
    stages.addAll(names(other));
    for (String stage : stages) {
      add(
          rows,
          stage + ", a sample",
          perSample(one, stage),
          perSample(other, stage),
          seconds -> seconds == 0 ? ABSENT : Html.time(seconds));
    }
    if (before.otherProcessors().isPresent() && after.otherProcessors().isPresent()) {
      add(rows, "processors of other processes", load(before), load(after), Html::number);
    }
    return rows;
  }

  private static double perSample(LoaderStats.Epoch epoch, String name) {
    return epoch.samples() == 0
        ? 0
        : epoch.stage(name).map(stage -> stage.elapsed().toNanos() / 1e9).orElse(0.0)
            / epoch.samples();
  }

  private static void add(List<List<String>> rows, String name, Duration before, Duration after) {
    add(rows, name, before.toNanos() / 1e9, after.toNanos() / 1e9, Html::time);
  }

  private static void add(
      List<List<String>> rows,
      String name,
      double before,
      double after,
      DoubleFunction<String> words) {
    rows.add(
        List.of(
            name,
            words.apply(before),
            words.apply(after),
            before == 0 ? "" : factor(after / before)));
  }

  /** Returns a factor in words; a factor below 1 has one significant digit. */
  private static String factor(double factor) {
    return factor > 0 && factor < 0.01
        ? String.format(Locale.ROOT, "%.1g", factor)
        : Html.number(factor);
  }

  private List<List<String>> options() {
    List<List<String>> rows = new ArrayList<>();
    differences(rows, before.settings(), after.settings());
    differences(rows, before.loader(), after.loader());
    differences(rows, before.machine(), after.machine());
    return rows;
  }

  private static void differences(
      List<List<String>> rows, Map<String, Object> before, Map<String, Object> after) {
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    // The comparison shows this value as a figure.
    names.remove("other_processes_processors");
    for (String name : names) {
      if (!words(before.get(name)).equals(words(after.get(name)))) {
        rows.add(List.of(name.replace('_', ' '), words(before.get(name)), words(after.get(name))));
      }
    }
  }

  private static String words(Object value) {
    return value == null ? ABSENT : value.toString();
  }
}
