package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** A random transform that carries out one operation, or leaves an image as it is. Immutable. */
abstract class RandomOperation implements RandomTransform<Image, Image> {
  /** Probability of most of these operations in torchvision. */
  static final double DEFAULT_PROBABILITY = 0.5;

  private final UnaryOperator<Image> operation;
  private final double probability;

  /**
   * A transform.
   *
   * @throws IllegalArgumentException unless the probability is within 0 to 1
   */
  RandomOperation(UnaryOperator<Image> operation, double probability) {
    this.operation = operation;
    this.probability = Sizes.checkProbability(probability);
  }

  /** A transform of colors. */
  RandomOperation(PixelOperation operation, double probability) {
    this(image -> image.map(operation), probability);
  }

  /** Returns how likely an image is changed, 0 to 1. */
  public final double probability() {
    return probability;
  }

  @Override
  public final Image apply(Image image, RandomGenerator random) {
    return Draw.happens(random, probability) ? operation.apply(image) : image;
  }

  @Override
  public String toString() {
    return "%s(probability=%s)".formatted(getClass().getSimpleName(), probability);
  }
}
