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
record UniformRange(double min, double max) {

  /**
   * Factors of brightness, contrast or saturation.
   *
   * @throws IllegalArgumentException unless they are in order, 0 or more and finite
   */
  static UniformRange ofFactors(String option, double min, double max) {
    Sizes.checkRange(option, min, max, 0, Float.MAX_VALUE);
    return new UniformRange(min, max);
  }

  /**
   * Turns of the hue, in circles.
   *
   * @throws IllegalArgumentException unless they are in order and within half a circle
   */
  static UniformRange ofHue(double min, double max) {
    Sizes.checkRange("hue", min, max, -0.5, 0.5);
    return new UniformRange(min, max);
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

  @Override
  public String toString() {
    return min + ".." + max;
  }
}
