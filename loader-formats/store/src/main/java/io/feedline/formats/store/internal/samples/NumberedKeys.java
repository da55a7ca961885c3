package io.feedline.formats.store.internal.samples;

public final class NumberedKeys {

  private NumberedKeys() {}

  /** Returns a number with leading zeros: all numbers below {@code size} get the same length. */
  public static String padded(long number, long size) {
    String digits = Long.toString(number);
    int width = Long.toString(Math.max(0, size - 1)).length();
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }
}
