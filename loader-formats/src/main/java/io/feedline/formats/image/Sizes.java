package io.feedline.formats.image;

/** Checks of the sizes that transforms are configured with. */
final class Sizes {
  private Sizes() {}

  /**
   * The value, if it can be the length of a picture's side.
   *
   * @throws IllegalArgumentException if it cannot; the message names the option
   */
  static int check(String option, int value) {
    if (value < 1 || value > Geometry.MAX_SIDE) {
      throw new IllegalArgumentException(
          "%s must be 1 to %d pixels, was %d".formatted(option, Geometry.MAX_SIDE, value));
    }
    return value;
  }
}
