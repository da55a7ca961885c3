package io.feedline.formats.image.mixing;

import io.feedline.batch.BatchTransform;
import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.formats.internal.SymmetricBeta;
import java.util.random.RandomGenerator;

/**
 * The common part of {@link MixUp} and {@link CutMix}: the options. Each mixes images in its own
 * way; labels are mixed alike.
 */
abstract class MixingTransform implements BatchTransform {

  private final BatchMixing mixing;

  MixingTransform(BatchMixing mixing) {
    this.mixing = mixing;
  }

  final BatchMixing mixing() {
    return mixing;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if images or labels are missing, of another dtype or shape, or
   *     a label is not one of the classes
   */
  @Override
  public final void apply(MutableBatch batch, RandomGenerator random) {
    mixing.apply(batch, random, share -> mix(batch, share, random));
  }

  /**
   * Mixes the images of a batch.
   *
   * @param batch whose images have rank 4, with the batch as the first axis
   * @param share share of an image that stays its own
   * @param random for all further draws
   * @return the share that labels keep
   */
  abstract double mix(MutableBatch batch, double share, RandomGenerator random);

  /** Returns how many classes the labels count. */
  public final int numClasses() {
    return mixing.numClasses();
  }

  /** Returns the parameter of the Beta distribution that the share is drawn from. */
  public final double alpha() {
    return mixing.share().alpha();
  }

  /** Returns how likely a batch is mixed, 0 to 1; labels become probabilities in any case. */
  public final double probability() {
    return mixing.probability();
  }

  /** Returns the name of the images' tensor. */
  public final String image() {
    return mixing.image();
  }

  /** Returns the name of the labels' tensor. */
  public final String label() {
    return mixing.label();
  }

  /**
   * The options of the transform. Not thread-safe.
   *
   * @param <B> the builder itself
   */
  abstract static class Options<B extends Options<B>> {
    private final int numClasses;
    private double alpha = 1;
    private double probability = 1;
    private String image = "image";
    private String label = "label";

    Options(int numClasses) {
      this.numClasses = numClasses;
    }

    @SuppressWarnings("unchecked")
    final B self() {
      return (B) this;
    }

    /** Sets the parameter of the Beta distribution, above 0; 1 by default. Less mixes less. */
    public final B alpha(double newAlpha) {
      this.alpha = newAlpha;
      return self();
    }

    /** Sets how likely a batch is mixed, 0 to 1; 1 by default. */
    public final B probability(double newProbability) {
      this.probability = newProbability;
      return self();
    }

    /** Sets the name of the images' tensor in the batch; {@code image} by default. */
    public final B image(String name) {
      this.image = name;
      return self();
    }

    /** Sets the name of the labels' tensor in the batch; {@code label} by default. */
    public final B label(String name) {
      this.label = name;
      return self();
    }

    final BatchMixing mixing() {
      return new BatchMixing(numClasses, new SymmetricBeta(alpha), probability, image, label);
    }
  }
}
