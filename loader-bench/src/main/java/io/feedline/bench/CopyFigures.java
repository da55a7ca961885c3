package io.feedline.bench;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of one kind of copy with batches of one size, each with the machine's ceiling of the
 * same round, because other load on the bus affects both.
 *
 * @param kind the way
 * @param bytes of a batch
 * @param rounds one or more
 */
record CopyFigures(CopyKind kind, int bytes, List<Round> rounds) {

  /**
   * The copies of one kind in one turn.
   *
   * @param bytes copied in all, 1 or more
   * @param nanos from the first call to the end of the last copy, above 0
   * @param calls nanoseconds that each batch held the calling thread up before the thread could
   *     continue; empty for the ceiling
   */
  record Turn(long bytes, double nanos, Percentiles calls) {

    /** Billions of bytes per second. */
    double gigabytesPerSecond() {
      return bytes / nanos;
    }
  }

  /**
   * One round.
   *
   * @param turn this way's
   * @param ceiling the fastest that the machine copied in this round
   */
  record Round(Turn turn, Turn ceiling) {

    /** The rate as a fraction of the ceiling. */
    double ratio() {
      return turn.gigabytesPerSecond() / ceiling.gigabytesPerSecond();
    }
  }

  /** The columns of {@link #toRow}. */
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

  /** Returns the milliseconds of a batch at the median rate. */
  double millisPerBatch() {
    return bytes / gigabytesPerSecond().median() / 1e6;
  }

  /**
   * The median over the rounds of the round's median; NaN of the ceiling, which holds up no thread.
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

  /** A row of a Markdown table. */
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

  /** Adds the same figures to a line that has the machine. */
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
