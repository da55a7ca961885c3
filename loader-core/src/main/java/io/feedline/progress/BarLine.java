package io.feedline.progress;

import io.feedline.progress.Progress.Figure;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar as one line of text, fitted to the width of a terminal. If room is short, the line
 * drops first the times, then the bar, then words; it keeps the figures.
 *
 * @param steps the number of all steps; negative if unknown
 * @param left the time that is left; null if it is not known yet
 * @param figures the figures to show, the most important first
 */
record BarLine(
    String task,
    long step,
    long steps,
    Duration elapsed,
    @Nullable Duration left,
    List<Figure> figures) {

  private static final int LEAST_BAR = 8;

  /** The smallest width, in characters, of a bar with times beside it; one digit more has room. */
  private static final int LEAST_BAR_WITH_TIMES = 14;

  private static final int MOST_BAR = 40;

  BarLine {
    task = task.strip();
  }

  String fit(int width) {
    String line =
        Stream.<Function<Integer, String>>of(
                room -> withBar(room, Figure::wide, "  " + times()),
                room -> withBar(room, Figure::medium, "  " + times()),
                room -> withBar(room, Figure::medium, ""),
                room -> withoutBar("  " + times(), Figure::wide),
                room -> withoutBar("", Figure::medium),
                room -> "%s %s %s".formatted(shortTask(), count(), joined(" ", Figure::narrow)),
                room -> "%s %s%s".formatted(shortTask(), percent(), joined(" ", Figure::narrow)),
                room -> joined(" ", Figure::narrow))
            .map(layout -> layout.apply(width))
            .filter(each -> each != null && each.length() <= width)
            .findFirst()
            .orElseGet(() -> joined(" ", Figure::narrow));
    String cut = line.substring(0, Math.min(width, line.length()));
    return cut + " ".repeat(width - cut.length());
  }

  String inWords() {
    return "%s %s%s  %s  %s"
        .formatted(
            task,
            percent(),
            count().strip(),
            times(),
            joined("  ", figure -> figure.wide().strip()))
        .stripTrailing();
  }

  /** Returns a line with a bar; null if the bar would be too short. */
  private String withBar(int width, Function<Figure, String> form, String times) {
    String before = "%s %s".formatted(task, percent());
    String after = " %s%s  %s".formatted(count(), times, joined("  ", form));
    int room = Math.min(MOST_BAR, width - before.length() - after.length());
    if (steps < 0 || room < (times.isEmpty() ? LEAST_BAR : LEAST_BAR_WITH_TIMES)) {
      return null;
    }
    int inner = room - 2;
    int done = steps == 0 ? inner : (int) (inner * step / steps);
    return before + "[" + "=".repeat(done) + " ".repeat(inner - done) + "]" + after;
  }

  /**
   * Returns a line without a bar. Returns null if times are wanted and the number of steps is
   * known, since a bar is then shown in preference to times.
   */
  private String withoutBar(String times, Function<Figure, String> form) {
    if (steps >= 0 && !times.isEmpty()) {
      return null;
    }
    return "%s %s%s%s  %s".formatted(task, percent(), count(), times, joined("  ", form));
  }

  private String joined(String gap, Function<Figure, String> form) {
    return figures.stream().map(form).collect(Collectors.joining(gap));
  }

  private String percent() {
    return steps < 0
        ? ""
        : String.format(Locale.ROOT, "%3d%% ", steps == 0 ? 100 : 100 * step / steps);
  }

  private String count() {
    if (steps < 0) {
      return Long.toString(step);
    }
    String all = Long.toString(steps);
    String done = Long.toString(step);
    return " ".repeat(Math.max(0, all.length() - done.length())) + done + "/" + all;
  }

  private String times() {
    if (steps < 0) {
      return clock(elapsed);
    }
    return clock(elapsed) + " < " + (left == null ? "   ?" : clock(left));
  }

  private static String clock(Duration time) {
    return time.toHours() == 0
        ? String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart())
        : String.format(
            Locale.ROOT,
            "%d:%02d:%02d",
            time.toHours(),
            time.toMinutesPart(),
            time.toSecondsPart());
  }

  private String shortTask() {
    return task.replaceFirst("^Epoch: ", "").replaceFirst(":$", "");
  }
}
