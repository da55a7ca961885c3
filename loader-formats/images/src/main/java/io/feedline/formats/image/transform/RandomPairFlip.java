package io.feedline.formats.image.transform;

import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that mirrors both images of a pair, or neither, with some probability. Draws
 * one number. Immutable and thread-safe.
 */
public final class RandomPairFlip implements RandomTransform<ImagePair, ImagePair> {
  private final boolean vertical;
  private final double probability;
  private final RandomTransform<ImagePair, ImagePair> both;

  private RandomPairFlip(boolean vertical, double probability) {
    this.vertical = vertical;
    this.probability = probability;
    this.both =
        JointTransform.of(
            vertical ? RandomVerticalFlip.of(probability) : RandomHorizontalFlip.of(probability));
  }

  /** Returns the transform that mirrors one pair in two, left to right. */
  public static RandomPairFlip horizontal() {
    return horizontal(0.5);
  }

  /**
   * Returns the transform that mirrors left to right with this probability.
   *
   * @throws IllegalArgumentException unless the probability is within 0 to 1
   */
  public static RandomPairFlip horizontal(double probability) {
    return new RandomPairFlip(false, probability);
  }

  /** Returns the transform that mirrors one pair in two, top to bottom. */
  public static RandomPairFlip vertical() {
    return vertical(0.5);
  }

  /**
   * Returns the transform that mirrors top to bottom with this probability.
   *
   * @throws IllegalArgumentException unless the probability is within 0 to 1
   */
  public static RandomPairFlip vertical(double probability) {
    return new RandomPairFlip(true, probability);
  }

  /** Returns whether top and bottom are exchanged, instead of left and right. */
  public boolean isVertical() {
    return vertical;
  }

  /** Returns how likely a pair is mirrored, 0 to 1. */
  public double probability() {
    return probability;
  }

  @Override
  public ImagePair apply(ImagePair pair, RandomGenerator random) throws Exception {
    return both.apply(pair, random);
  }

  @Override
  public String toString() {
    return "RandomPairFlip(%s, probability=%s)"
        .formatted(vertical ? "vertical" : "horizontal", probability);
  }
}
