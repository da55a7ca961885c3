package io.feedline.bench;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of one kind of copy with one batch size. Each round also has the fastest copy that the
 * machine reached in this round, the ceiling, because other load on the bus affects both.
 *
 * @param bytes the size of a batch
 * @param rounds one or more
 */
record CopyFigures(CopyKind kind, int bytes, List<Round> rounds) {

  /**
   * The copies of one kind in one turn.
   *
   * @param bytes the bytes copied in the turn, 1 or more
   * @param nanos the time from the first call to the end of the last copy, above 0
   * @param calls the nanoseconds for which each batch blocked the calling thread; empty for the
   *     ceiling
   */
  record Turn(long bytes, double nanos, Percentiles calls) {

    double gigabytesPerSecond() {
      return bytes / nanos;
    }
  }

  /** A turn of this kind, and the turn that measured the ceiling in the same round. */
  record Round(Turn turn, Turn ceiling) {

    /** Returns the rate as a fraction of the ceiling's rate. */
    double ratio() {
      return turn.gigabytesPerSecond() / ceiling.gigabytesPerSecond();
    }
  }

  static final String HEADER =
      """
      | way | MB a batch | GB/s | of the ceiling, by round | ms a batch | held up, us a batch |
      |---|---|---|---|---|---|""";

  Spread gigabytesPerSecond() {
    return spread(round -> round.turn().gigabytesPerSecond());
  }

  Spread ratio() {
    return spread(Round::ratio);
  }

  /** Returns the time of a batch at the median rate, in milliseconds. */
  double millisPerBatch() {
    return bytes / gigabytesPerSecond().median() / 1e6;
  }

  /**
   * Returns how long a batch blocks the thread in microseconds: the median of the rounds' medians;
   * NaN for the ceiling.
   */
  double microsHeldUp() {
    return spread(round -> medianNanos(round.turn().calls())).median() / 1e3;
  }

  private static double medianNanos(Percentiles calls) {
    OptionalLong median = calls.at(50);
    return median.isPresent() ? median.getAsLong() : Double.NaN;
  }

  private boolean isCeiling() {
    return kind == CopyKind.CEILING;
  }

  private Spread spread(ToDoubleFunction<Round> figure) {
    return Spread.of(rounds.stream().mapToDouble(figure).toArray());
  }

  String toRow() {
    return String.format(
        Locale.ROOT,
        "| %s | %.1f | %s | %s | %.3f | %s |",
        kind,
        bytes / 1e6,
        gigabytesPerSecond().toString(1),
        isCeiling() ? "1" : "**" + ratio().toString(3) + "**",
        millisPerBatch(),
        isCeiling() ? "" : String.format(Locale.ROOT, "%.1f", microsHeldUp()));
  }

  JsonLine addTo(JsonLine line) {
    return line.put("kind", kind.toString())
        .put("bytes", bytes)
        .put("rounds", rounds.size())
        .put("gb_per_second", gigabytesPerSecond())
        .put("ratio", ratio())
        .put("batch_ms", millisPerBatch())
        .put("held_up_us", microsHeldUp());
  }
}
