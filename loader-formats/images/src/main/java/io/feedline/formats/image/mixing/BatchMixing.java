package io.feedline.formats.image.mixing;

import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.Shape;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.formats.internal.SymmetricBeta;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The common part of {@link MixUp} and {@link CutMix}: each sample is mixed with the sample before
 * it, and the first sample with the last. Labels become probabilities and are mixed, too.
 */
record BatchMixing(int numClasses, double alpha, double probability, String image, String label) {

  BatchMixing {
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(label, "label");
    new SymmetricBeta(alpha);
    Sizes.checkProbability(probability);
    if (numClasses < 1) {
      throw new IllegalArgumentException("numClasses must be 1 or more, was " + numClasses);
    }
  }

  static BatchMixing of(int numClasses, double alpha) {
    return new BatchMixing(numClasses, alpha, 1, "image", "label");
  }

  /** A function that mixes the images of a batch and returns the share of an image's own label. */
  @FunctionalInterface
  interface Images {
    double mix(double share);
  }

  /** Draws whether to mix, and mixes images and labels. Labels become probabilities in any case. */
  void apply(MutableBatch batch, RandomGenerator random, Images how) {
    Shape images = batch.shape(image);
    if (images.rank() != 4 || images.length(0) != batch.size()) {
      throw new IllegalArgumentException(
          "'%s' is %s %s, not a batch of %d images"
              .formatted(image, batch.dtype(image), images, batch.size()));
    }
    batch.toProbabilities(label, numClasses);
    if (Draw.happens(random, probability)) {
      batch.mixRows(label, how.mix(new SymmetricBeta(alpha).draw(random)));
    }
  }
}
