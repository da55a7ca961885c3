package io.feedline.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of one task, in which Feedline and C take turns. Ratios are computed within a round,
 * since other load on the machine affects both sides of a round.
 *
 * @param rounds one or more
 */
record Comparison(Task task, List<Round> rounds) {

  /**
   * One turn of each side, directly after each other.
   *
   * @param jvmCpuSeconds CPU seconds of the whole JVM during Feedline's turn, including the JIT
   *     compiler and the garbage collector
   */
  record Round(Timing feedline, double jvmCpuSeconds, Timing c) {

    /** Returns the number of images that Feedline makes in the CPU time that C takes for one. */
    double ratio() {
      return feedline.perCpuSecond() / c.perCpuSecond();
    }

    /** Returns the CPU time of the JVM's other threads, divided by that of Feedline's thread. */
    double overhead() {
      return Math.max(0, jvmCpuSeconds / feedline.cpuSeconds() - 1);
    }
  }

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

  String toRow() {
    return "| %s | %s | %s | **%s** | +%s%% |"
        .formatted(
            task,
            feedline().toString(0),
            c().toString(0),
            ratio().toString(2),
            Math.round(100 * overhead().median()));
  }

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
