package io.feedline.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of Feedline and C at the same work, in turns. The ratio within a round counts, since
 * other load on the machine hits both.
 *
 * @param task what was done
 * @param rounds one or more
 */
record Comparison(Task task, List<Round> rounds) {

  /**
   * The turns of both sides, one directly after the other.
   *
   * @param feedline Feedline's thread
   * @param jvmCpuSeconds CPU seconds of the whole JVM in that time, with the compiler and the
   *     collector
   * @param c C's thread
   */
  record Round(Timing feedline, double jvmCpuSeconds, Timing c) {

    /** Returns how many images Feedline makes in the CPU time that the other side takes for one. */
    double ratio() {
      return feedline.perCpuSecond() / c.perCpuSecond();
    }

    /** The CPU time of the JVM's other threads, as a fraction of that of Feedline's thread. */
    double overhead() {
      return Math.max(0, jvmCpuSeconds / feedline.cpuSeconds() - 1);
    }
  }

  /** The columns of {@link #toRow}. */
  static final String HEADER =
      """
      | images per CPU-second | Feedline | C | Feedline/C by round | other threads of the JVM |
      |---|---|---|---|---|""";

  Spread feedline() {
    return spread(round -> round.feedline().perCpuSecond());
  }

  Spread c() {
    return spread(round -> round.c().perCpuSecond());
  }

  Spread ratio() {
    return spread(Round::ratio);
  }

  Spread overhead() {
    return spread(Round::overhead);
  }

  private Spread spread(ToDoubleFunction<Round> figure) {
    return Spread.of(rounds.stream().mapToDouble(figure).toArray());
  }

  /** A row of a Markdown table. */
  String toRow() {
    return "| %s | %s | %s | **%s** | +%s%% |"
        .formatted(
            task,
            feedline().toString(0),
            c().toString(0),
            ratio().toString(2),
            Math.round(100 * overhead().median()));
  }

  /** Adds the same figures to a line that has the machine and the data. */
  JsonLine addTo(JsonLine line) {
    return line.put("work", task.work().toString())
        .put("form", task.form().name().toLowerCase(Locale.ROOT))
        .put("scan_index", task.scanIndex())
        .put("rounds", rounds.size())
        .put("ratio", ratio())
        .put("feedline_images_per_cpu_second", feedline().median())
        .put("c_images_per_cpu_second", c().median())
        .put("jvm_overhead", overhead().median());
  }
}
