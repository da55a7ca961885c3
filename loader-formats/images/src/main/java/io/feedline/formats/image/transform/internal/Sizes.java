package io.feedline.formats.image.transform.internal;

import io.feedline.formats.image.Image;

/** Checks of the sizes and numbers in transforms' options. */
public final class Sizes {
  private Sizes() {}

  /** Returns the value if an image's side may have this length; otherwise throws an error. */
  public static int check(String option, int value) {
    if (value < 1 || value > Image.MAX_SIDE) {
      throw new IllegalArgumentException(
          "%s must be 1 to %d pixels, was %d".formatted(option, Image.MAX_SIDE, value));
    }
    return value;
  }

  public static double checkProbability(double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("probability must be 0 to 1, was " + probability);
    }
    return probability;
  }

  /** Checks the end of a range that begins at {@code -reach}: a finite float, 0 or more. */
  public static double checkReach(String option, double reach) {
    if (!(reach >= 0 && reach <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "%s must be 0 or more and finite, was %s; a range takes two numbers"
              .formatted(option, reach));
    }
    return reach;
  }

  /** Checks that {@code least <= min <= max <= most}. */
  public static void checkRange(String option, double min, double max, double least, double most) {
    if (!(least <= min && min <= max && max <= most)) {
      throw new IllegalArgumentException(
          "%s must be in order and within %s to %s, was %s to %s"
              .formatted(option, least, most, min, max));
    }
  }
}
