package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that exchanges the channels of an image, each of the six orders being equally
 * likely: RandomChannelPermutation of torchvision's v2. Draws the order. Immutable and thread-safe.
 */
public final class RandomChannelPermutation extends Transforms.Value
    implements RandomTransform<Image, Image> {

  private record Options() {}

  private RandomChannelPermutation(Options options) {
    super(options);
  }

  /** Returns the transform, which has no options. */
  public static RandomChannelPermutation of() {
    return new RandomChannelPermutation(new Options());
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return image.map(ColorOperations.permute(Draw.permutation(random, 3)));
  }
}
