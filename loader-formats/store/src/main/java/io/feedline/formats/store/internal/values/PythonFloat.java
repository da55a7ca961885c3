package io.feedline.formats.store.internal.values;

import java.util.Locale;

/** A parser of numbers, like Python's {@code float}. */
public final class PythonFloat {

  private PythonFloat() {}

  /**
   * Parses a number. Java's own parser would also accept {@code 1f}, {@code 0x1p3}, and control
   * characters around a number. Underscores between digits are not read.
   *
   * @throws NumberFormatException if it is not a number in Python
   */
  public static double parse(String text) {
    String word = text.strip();
    if (isDecimal(word)) {
      return Double.parseDouble(word);
    }
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "nan", "+nan", "-nan" -> Double.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> throw new NumberFormatException("'%s' is not a number".formatted(word));
    };
  }

  private static boolean isDecimal(String word) {
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if ((c < '0' || c > '9') && "+-.eE".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }
}
