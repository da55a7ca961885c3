package io.feedline.internal;

import java.util.Locale;

/** Counts as people write them: {@code 1 batch}, {@code 2 batches}, {@code 0 classes}. */
public final class Counts {

  private Counts() {}

  /** Returns a number and its noun; a plural adds {@code s} or {@code es} to the noun. */
  public static String of(long count, String noun) {
    return count + " " + noun((double) count, noun);
  }

  /** Returns the sum of two numbers of 0 or more; {@link Long#MAX_VALUE} if it is larger. */
  public static long sum(long a, long b) {
    return a + Math.min(b, Long.MAX_VALUE - a);
  }

  /** Returns the quotient of two numbers of 0 or more, rounded up. */
  public static long ceilDiv(long dividend, long divisor) {
    return dividend / divisor + (dividend % divisor == 0 ? 0 : 1);
  }

  public static String noun(double count, String noun) {
    if (count == 1) {
      return noun;
    }
    boolean hisses = noun.endsWith("s") || noun.endsWith("x") || noun.endsWith("ch");
    return noun + (hisses ? "es" : "s");
  }

  /** Returns a number with three digits, such as {@code 1.07}; from 100 on, as a whole number. */
  public static String number(double number) {
    return String.format(
        Locale.ROOT, number >= 99.95 ? "%.0f" : number >= 9.995 ? "%.1f" : "%.2f", number);
  }

  /** Returns a share, for example {@code 12%}; only the shares 0 and 1 give 0% and 100%. */
  public static String percent(double share) {
    if (share > 0 && share < 0.001) {
      return "<0.1%";
    }
    if (share < 1 && share > 0.999) {
      return "99.9%";
    }
    double percent = 100 * share;
    return String.format(Locale.ROOT, percent < 9.95 || percent > 90 ? "%.1f%%" : "%.0f%%", percent)
        .replace(".0%", "%");
  }
}
