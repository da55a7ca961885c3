package io.feedline.formats.image.transform;

import io.feedline.BatchTransform;

/** What {@link MixUp} and {@link CutMix} tell of their options, and the builder of these. */
abstract class MixingTransform implements BatchTransform {

  private final Mixing mixing;

  MixingTransform(Mixing mixing) {
    this.mixing = mixing;
  }

  final Mixing mixing() {
    return mixing;
  }

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

    abstract B self();

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

    final Mixing mixing() {
      return new Mixing(numClasses, new SymmetricBeta(alpha), probability, image, label);
    }
  }
}
