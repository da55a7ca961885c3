package io.feedline.sampler;

/** The lengths of samples that are padded to a multiple of a number. */
final class PaddedLengths {

  private PaddedLengths() {}

  /** Refuses a negative length, and a length that alone exceeds a batch's bound of tokens. */
  static void check(int[] lengths, int multipleOf, long maxTokens) {
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0) {
        throw new IllegalArgumentException(
            "lengths must be 0 or more, was %d at index %d".formatted(lengths[i], i));
      }
      long padded = padded(lengths[i], multipleOf);
      if (padded > maxTokens) {
        throw new IllegalArgumentException(
            "maxTokens is %d, but the sample at index %d alone has %d%s"
                .formatted(
                    maxTokens,
                    i,
                    lengths[i],
                    multipleOf == 1
                        ? ""
                        : ", padded to %d, a multiple of %d".formatted(padded, multipleOf)));
      }
    }
  }

  static int positive(String option, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("%s must be 1 or more, was %d".formatted(option, value));
    }
    return value;
  }

  static long padded(int length, int multipleOf) {
    return ((long) length + multipleOf - 1) / multipleOf * multipleOf;
  }
}
