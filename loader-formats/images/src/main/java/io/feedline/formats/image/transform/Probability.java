package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.random.RandomGenerator;

/** The options of a transform whose only option is its probability, 0 to 1. */
record Probability(double probability) {
  static final Probability HALF = new Probability(0.5);

  Probability {
    Sizes.checkProbability(probability);
  }

  boolean happens(RandomGenerator random) {
    return Draw.happens(random, probability);
  }
}
