package io.feedline.formats.table.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedline.formats.store.internal.values.PythonFloat;
import java.util.Locale;

/** A parser of numbers in the bytes of texts; for short numbers it creates no objects. */
final class Numbers {

  /** The largest number of decimal digits that always fit into 53 bits. */
  private static final int EXACT_DIGITS = 15;

  private static final double[] POWERS = new double[23];

  static {
    double power = 1;
    for (int i = 0; i < POWERS.length; i++) {
      POWERS[i] = power;
      power *= 10;
    }
  }

  private Numbers() {}

  static double real(byte[] bytes, int from, int to) {
    int at = from;
    boolean negative = at < to && bytes[at] == '-';
    at += negative || (at < to && bytes[at] == '+') ? 1 : 0;
    long digits = 0;
    int start = at;
    while (at < to && isDigit(bytes[at])) {
      digits = digits * 10 + bytes[at++] - '0';
    }
    int count = at - start;
    int fraction = 0;
    if (at < to && bytes[at] == '.') {
      int first = ++at;
      while (at < to && isDigit(bytes[at])) {
        digits = digits * 10 + bytes[at++] - '0';
      }
      fraction = at - first;
      count += fraction;
    }
    // The digits and the power of ten are exact, so their quotient is rounded only once.
    if (at == to && count > 0 && count <= EXACT_DIGITS) {
      double value = digits / POWERS[fraction];
      return negative ? -value : value;
    }
    return slowReal(new String(bytes, from, to - from, ISO_8859_1));
  }

  /** Parses a number as Python does, see {@link PythonFloat}, or {@code true} or {@code false}. */
  private static double slowReal(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> 1;
      case "false" -> 0;
      default -> PythonFloat.parse(text);
    };
  }

  /** Parses a whole number of 64 bits; {@code true} is 1, and {@code false} is 0. */
  static long whole(byte[] bytes, int from, int to) {
    boolean negative = from < to && bytes[from] == '-';
    int at = from + (negative ? 1 : 0);
    long digits = 0;
    while (at < to && isDigit(bytes[at])) {
      digits = digits * 10 + bytes[at++] - '0';
    }
    int count = at - from - (negative ? 1 : 0);
    if (at == to && count > 0 && count < 19) {
      return negative ? -digits : digits;
    }
    String text = new String(bytes, from, to - from, ISO_8859_1).strip();
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      return text.equalsIgnoreCase("true") ? 1 : 0;
    }
    return Long.parseLong(text);
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
