package io.feedline.formats.image.transform;

/** A pair of numbers, one along x and one along y. */
record Point(double x, double y) {

  /** Returns this point if both numbers are in range; otherwise an error names the option. */
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
