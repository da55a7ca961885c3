package io.feedline.formats.image.transform;

/** Two numbers, along x and along y. */
record Point(double x, double y) {

  /** Returns this point, unless a number is out of the range: the message names the option. */
  Point within(String option, double least, double most) {
    new Range(x, x).within(option + " x", least, most);
    new Range(y, y).within(option + " y", least, most);
    return this;
  }

  Point finite(String option) {
    if (!Double.isFinite(x) || !Double.isFinite(y)) {
      throw new IllegalArgumentException("%s must be finite, was (%s, %s)".formatted(option, x, y));
    }
    return this;
  }
}
