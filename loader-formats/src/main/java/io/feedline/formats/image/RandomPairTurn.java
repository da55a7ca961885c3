package io.feedline.formats.image;

import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * Turns both images of a pair by 0, 1, 2 or 3 quarters clockwise, each as likely as the others.
 * Draws one number. Together with {@link RandomPairFlip#horizontal()} it gives the eight ways to
 * lay an image down. It is carried out on pixels, so it belongs before {@link Normalize}.
 * Immutable and thread-safe.
 *
 * <p>Images that are not square change their shape; crop them first.
 */
public final class RandomPairTurn implements RandomTransform<ImagePair, ImagePair> {

  /** By quarters. */
  private static final Orientation[] TURNS = {
    Orientation.NORMAL,
    Orientation.CLOCKWISE,
    Orientation.UPSIDE_DOWN,
    Orientation.COUNTER_CLOCKWISE
  };

  private RandomPairTurn() {}

  /** Turns by a random number of quarters. */
  public static RandomPairTurn of() {
    return new RandomPairTurn();
  }

  @Override
  public ImagePair apply(ImagePair pair, RandomGenerator random) {
    Orientation turn = TURNS[Draw.below(random, TURNS.length)];
    return turn == Orientation.NORMAL
        ? pair
        : new ImagePair(
            TurnedSource.apply(pair.low(), turn), TurnedSource.apply(pair.high(), turn));
  }

  @Override
  public String toString() {
    return "RandomPairTurn()";
  }
}
