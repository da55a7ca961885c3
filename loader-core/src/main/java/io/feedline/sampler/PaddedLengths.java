package io.feedline.sampler;

/** The lengths of samples that are padded to a multiple of a number. */
final class PaddedLengths {

  private PaddedLengths() {}

  /**
   * Checks lengths.
   *
   * @throws IllegalArgumentException if a length is negative
   */
  static void check(int[] lengths) {
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0) {
        throw new IllegalArgumentException(
            "lengths must be 0 or more, was %d at index %d".formatted(lengths[i], i));
      }
    }
  }

  /**
   * Checks an option.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  static int positive(String option, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("%s must be 1 or more, was %d".formatted(option, value));
    }
    return value;
  }

  /** Returns the next multiple of a number. */
  static long padded(int length, int multipleOf) {
    return ((long) length + multipleOf - 1) / multipleOf * multipleOf;
  }
}
