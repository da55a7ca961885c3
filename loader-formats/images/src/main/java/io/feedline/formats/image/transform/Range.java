package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.random.RandomGenerator;

/** A range from which numbers are drawn uniformly; {@code max} may equal {@code min}. */
record Range(double min, double max) {

  static Range around0(String option, double reach) {
    Sizes.checkReach(option, reach);
    return new Range(0 - reach, reach);
  }

  /** Returns this range if {@code least <= min <= max <= most}; else an error names the option. */
  Range within(String option, double least, double most) {
    Sizes.checkRange(option, min, max, least, most);
    return this;
  }

  Range positive(String option) {
    return within(option, Float.MIN_NORMAL, Float.MAX_VALUE);
  }

  Range finite(String option) {
    return within(option, -Float.MAX_VALUE, Float.MAX_VALUE);
  }

  boolean isOnly(double value) {
    return min == value && max == value;
  }

  /** Draws a number: {@code torch.empty(1).uniform_(min, max)}. */
  double draw(RandomGenerator random) {
    return Draw.uniform(random, (float) min, (float) max);
  }

  /**
   * Draws a number as torchvision's newest transforms do: {@code min + torch.rand(1) * (max -
   * min)}, which rounds twice.
   */
  float drawInTwoSteps(RandomGenerator random) {
    return (float) min + Draw.unit(random) * (float) (max - min);
  }
}
