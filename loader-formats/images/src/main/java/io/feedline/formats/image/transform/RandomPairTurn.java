package io.feedline.formats.image.transform;

import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.image.transform.internal.Draw;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that turns both images of a pair by 0, 1, 2 or 3 quarters clockwise, each
 * equally likely. Draws one number. Together with {@link RandomPairFlip#horizontal()} it gives all
 * eight orientations of an image. Immutable and thread-safe.
 *
 * <p>Images that are not square change their shape; crop them first.
 */
public final class RandomPairTurn implements RandomTransform<ImagePair, ImagePair> {

  private static final RandomTransform<ImagePair, ImagePair> BOTH =
      JointTransform.of((image, random) -> image.turn(Draw.below(random, 4)));

  private RandomPairTurn() {}

  /** Returns the transform, which has no options. */
  public static RandomPairTurn of() {
    return new RandomPairTurn();
  }

  @Override
  public ImagePair apply(ImagePair pair, RandomGenerator random) throws Exception {
    return BOTH.apply(pair, random);
  }

  @Override
  public String toString() {
    return "RandomPairTurn()";
  }
}
