package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.random.RandomGenerator;

/**
 * A range that numbers are drawn from, uniformly.
 *
 * @param min the smallest
 * @param max the largest; may equal the smallest
 */
record Range(double min, double max) {

  /** Returns the range around 0. */
  static Range around0(String option, double reach) {
    Sizes.checkReach(option, reach);
    return new Range(0 - reach, reach);
  }

  /**
   * Returns this range.
   *
   * @throws IllegalArgumentException unless {@code least <= min <= max <= most}; the message names
   *     the option
   */
  Range within(String option, double least, double most) {
    Sizes.checkRange(option, min, max, least, most);
    return this;
  }

  /** Returns this range, if its ends are in order, above 0 and finite. */
  Range positive(String option) {
    return within(option, Float.MIN_NORMAL, Float.MAX_VALUE);
  }

  /** Returns this range, if its ends are in order and finite. */
  Range finite(String option) {
    return within(option, -Float.MAX_VALUE, Float.MAX_VALUE);
  }

  boolean isOnly(double value) {
    return min == value && max == value;
  }

  /** One number; {@code torch.empty(1).uniform_(min, max)}. */
  double draw(RandomGenerator random) {
    return Draw.uniform(random, (float) min, (float) max);
  }

  /**
   * One number, as torchvision's newest transforms draw it: {@code min + torch.rand(1) * (max -
   * min)}, which rounds twice.
   */
  float drawInTwoSteps(RandomGenerator random) {
    return (float) min + Draw.unit(random) * (float) (max - min);
  }
}
