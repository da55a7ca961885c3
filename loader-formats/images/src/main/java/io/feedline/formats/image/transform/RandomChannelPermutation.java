package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that exchanges the channels of an image, each of the six orders being equally
 * likely: RandomChannelPermutation of torchvision's v2. Draws the order. Immutable and thread-safe.
 */
public final class RandomChannelPermutation implements RandomTransform<Image, Image> {

  private RandomChannelPermutation() {}

  /** Returns the transform, which has no options. */
  public static RandomChannelPermutation of() {
    return new RandomChannelPermutation();
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return image.map(ColorOperations.permute(Draw.permutation(random, 3)));
  }

  @Override
  public String toString() {
    return "RandomChannelPermutation()";
  }
}
