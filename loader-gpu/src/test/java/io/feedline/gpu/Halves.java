package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

/** IEEE 754's binary16, for tests on Java 17, which has no conversions. */
final class Halves {
  private Halves() {}

  /** The value of a finite half. Exact. */
  static float toFloat(short half) {
    int exponent = half >> 10 & 31;
    int fraction = half & 1023;
    float magnitude =
        exponent == 0 ? Math.scalb(fraction, -24) : Math.scalb(1024 + fraction, exponent - 25);
    return half < 0 ? -magnitude : magnitude;
  }

  /** Fails unless the half is the one nearest to a value, the even one of two. */
  static void assertNearest(short half, float value) {
    double error = Math.abs((double) toFloat(half) - value);
    boolean even = (half & 1) == 0;
    for (int step : new int[] {-1, 1}) {
      short neighbor = (short) (half + step);
      double other = Math.abs((double) toFloat(neighbor) - value);
      boolean nearer = error < other || (error == other && even);
      // assertThat costs too much to be called for each sample
      if (!nearer) {
        assertThat(toFloat(half)).as("nearest half of " + value).isEqualTo(toFloat(neighbor));
      }
    }
  }
}
