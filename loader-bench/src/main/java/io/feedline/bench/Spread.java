package io.feedline.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The median, minimum and maximum of the results of several rounds.
 *
 * @param median the middle value; with an even number of values, the mean of the middle two
 * @param least the smallest value
 * @param greatest the greatest value
 */
record Spread(double median, double least, double greatest) {

  /**
   * Returns the spread of values, which may be in any order.
   *
   * @throws IllegalArgumentException if no value is given
   */
  static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values have no median");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    double median = (sorted[last / 2] + sorted[(last + 1) / 2]) / 2;
    return new Spread(median, sorted[0], sorted[last]);
  }

  /**
   * Returns the spread of the items per CPU-second of several turns.
   *
   * @throws IllegalArgumentException if no turn is given
   */
  static Spread ofRates(List<Timing> turns) {
    return of(turns.stream().mapToDouble(Timing::perCpuSecond).toArray());
  }

  /**
   * Returns the spread of the ratios of items per CPU-second: each first turn to its second turn.
   *
   * @param second as many turns as {@code first}
   * @throws IllegalArgumentException if no turn is given
   */
  static Spread ofRatios(List<Timing> first, List<Timing> second) {
    return of(
        IntStream.range(0, first.size())
            .mapToDouble(i -> first.get(i).perCpuSecond() / second.get(i).perCpuSecond())
            .toArray());
  }

  /** Returns a text for a table, with this number of decimals: {@code 0.72 (0.70 - 0.73)}. */
  String toString(int digits) {
    String number = "%." + digits + "f";
    String format = number + " (" + number + " - " + number + ")";
    return String.format(Locale.ROOT, format, median, least, greatest);
  }
}
