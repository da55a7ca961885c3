package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.ColorOperations;

/**
 * A random transform that keeps some bits of each sample with some probability: torchvision's
 * RandomPosterize. The pixels are Pillow's bit for bit. Draws one number. Immutable and
 * thread-safe.
 */
public final class RandomPosterize extends RandomOperation {
  private final int bits;

  private RandomPosterize(int bits, double probability) {
    super(ColorOperations.posterize(bits), probability);
    this.bits = bits;
  }

  /**
   * Returns the transform that posterizes every second image, on average.
   *
   * @param bits how many stay, 0 to 8
   * @throws IllegalArgumentException if the bits are not within 0 to 8
   */
  public static RandomPosterize of(int bits) {
    return of(bits, DEFAULT_PROBABILITY);
  }

  /**
   * Returns the transform that posterizes images with this probability.
   *
   * @param bits how many stay, 0 to 8
   * @param probability 0 to 1
   * @throws IllegalArgumentException if the bits are not within 0 to 8, or the probability not
   *     within 0 to 1
   */
  public static RandomPosterize of(int bits, double probability) {
    if (bits < 0 || bits > 8) {
      throw new IllegalArgumentException("bits must be 0 to 8, was " + bits);
    }
    return new RandomPosterize(bits, probability);
  }

  /** Returns how many bits stay, 0 to 8. */
  public int bits() {
    return bits;
  }

  @Override
  public String toString() {
    return "RandomPosterize(bits=%s, probability=%s)".formatted(bits, probability());
  }
}
