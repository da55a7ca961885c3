package io.feedline.internal;

import java.time.Duration;

/** Durations as people write them: {@code 850 us}, {@code 1.3 s}, {@code 2 min 5 s}. */
public final class Durations {

  private static final double SECONDS_IN_NS = 1e-9;

  private Durations() {}

  /**
   * Returns a duration in one or two units. Below a minute it is rounded to a tenth of its unit;
   * from 100 units on, to a whole unit. The text is the same in every locale.
   */
  public static String words(Duration duration) {
    if (duration.isZero()) {
      return "0 s";
    }
    double seconds = duration.getSeconds() + duration.getNano() * SECONDS_IN_NS;
    return seconds < 0 ? "-" + words(-seconds) : words(seconds);
  }

  private static String words(double seconds) {
    String[] small = {"ns", "us", "ms"};
    double value = seconds / SECONDS_IN_NS;
    for (String unit : small) {
      if (rounded(value) < 1000) {
        return text(rounded(value)) + " " + unit;
      }
      value /= 1000;
    }
    if (rounded(seconds) < 60) {
      return text(rounded(seconds)) + " s";
    }
    long whole = Math.round(seconds);
    if (whole < 3600) {
      return two(whole / 60, "min", whole % 60, "s");
    }
    long minutes = Math.round(seconds / 60);
    if (minutes < 24 * 60) {
      return two(minutes / 60, "h", minutes % 60, "min");
    }
    long hours = Math.round(seconds / 3600);
    return two(hours / 24, "d", hours % 24, "h");
  }

  private static double rounded(double value) {
    double scale = value < 99.95 ? 10 : 1;
    return Math.floor(scale * value + 0.5) / scale;
  }

  /**
   * Returns a number with one decimal, without the decimal if the decimal is 0. Uses no formatter,
   * which takes ten times as long: loaders format a text for each stall.
   */
  private static String text(double rounded) {
    long tenths = Math.round(10 * rounded);
    return tenths % 10 == 0 ? Long.toString(tenths / 10) : tenths / 10 + "." + tenths % 10;
  }

  private static String two(long large, String largeUnit, long small, String smallUnit) {
    String text = large + " " + largeUnit;
    return small == 0 ? text : text + " " + small + " " + smallUnit;
  }
}
