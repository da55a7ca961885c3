package io.feedline.formats.image.transform;

import io.feedline.batch.BatchTransform;
import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.Shape;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.ImageBlock;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A random transform that overwrites a random rectangle of the finished tensor, with some
 * probability: torchvision's RandomErasing ("Random Erasing Data Augmentation", Zhong et al.,
 * 2017). It acts on values as they are in the end, after normalization; so it must be the last
 * transform: one after it that changes pixels or normalizes throws {@link IllegalStateException}.
 *
 * <p>Draws whether to erase; then up to ten times an area and an aspect ratio, height to width, and
 * for the first rectangle that is smaller than the image in both directions its top and left. If
 * none is, nothing is erased. Random values, of the standard normal distribution, come from a seed
 * that is drawn last; torchvision draws them before the position. Immutable and thread-safe.
 */
public final class RandomErasing extends PartTransform {
  private final double probability;

  /** For each channel, or one for all; null for random values. */
  private final float @Nullable [] value;

  private RandomErasing(Builder builder) {
    super(builder.scale, builder.ratio);
    this.probability = builder.probability;
    this.value = builder.value;
  }

  /**
   * Returns the transform with torchvision's defaults: one image in two, 0.02 to 0.33 of the area,
   * a ratio of 0.3 to 3.3, overwritten with 0.
   */
  public static RandomErasing of() {
    return builder().build();
  }

  /**
   * Returns the transform with torchvision's defaults and this probability.
   *
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static RandomErasing of(double probability) {
    return builder().probability(probability).build();
  }

  /** Returns a builder with the defaults of {@link #of()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns how likely something is erased, 0 to 1. */
  public double probability() {
    return probability;
  }

  /** Returns the value written into a channel, from 0 on; empty for random values. */
  public OptionalDouble value(int channel) {
    return value == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(value[value.length == 1 ? 0 : channel]);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the image has another number of channels than there are
   *     values
   * @throws IllegalStateException if the image's tensor has an integer dtype, which cannot hold the
   *     values
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    if (!Draw.happens(random, probability)) {
      return image;
    }
    Region part = draw(image.width(), image.height(), random);
    if (part == null) {
      return image;
    }
    return value == null ? image.eraseWithNoise(part, random.nextLong()) : image.erase(part, value);
  }

  /**
   * Returns the same erasure of images that are a batch already, in planes; see {@link
   * #onBatches(String, ImageLayout)}.
   *
   * @param image the name of the images' tensor
   */
  public BatchTransform onBatches(String image) {
    return onBatches(image, ImageLayout.CHW);
  }

  /**
   * Returns the same erasure of images that are a batch already: on a device, by {@code
   * transformOnDevice} of loader-gpu's builders, or in host memory. It draws for image after image
   * from the batch's generator, so an image is not erased where the transform of single images
   * erases it.
   *
   * @param image the name of the images' tensor, of UINT8 or fractions, of rank 4
   * @param layout the order of the images' axes
   * @return a transform that throws {@link IllegalArgumentException} for a batch without such a
   *     tensor, or with another number of channels than there are values
   * @throws IllegalStateException if random values are to be written, which only the transform of
   *     single images does
   */
  public BatchTransform onBatches(String image, ImageLayout layout) {
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(layout, "layout");
    if (value == null) {
      throw new IllegalStateException(
          this + " writes random values, which batches do not take; use it on single images");
    }
    return new BatchTransform() {
      @Override
      public void apply(MutableBatch batch, RandomGenerator random) {
        eraseIn(batch, image, layout, random);
      }

      @Override
      public String toString() {
        return "%s on batches of %s %s".formatted(RandomErasing.this, layout, image);
      }
    };
  }

  private void eraseIn(
      MutableBatch batch, String image, ImageLayout layout, RandomGenerator random) {
    Shape images = batch.shape(image);
    int channels = images.rank() == 4 ? (int) ImageBlock.channels(layout, images) : 0;
    if (channels == 0 || (value.length != 1 && value.length != channels)) {
      throw new IllegalArgumentException(
          "'%s' is %s %s; RandomErasing takes images, %s, with %s channels"
              .formatted(
                  image,
                  batch.dtype(image),
                  images,
                  layout,
                  value.length == 1 ? "any number of" : value.length));
    }
    int width = ImageBlock.width(layout, images);
    int height = ImageBlock.height(layout, images);
    for (int row = 0; row < batch.valid(); row++) {
      Region part = Draw.happens(random, probability) ? draw(width, height, random) : null;
      for (int i = 0; part != null && i < value.length; i++) {
        int end = value.length == 1 ? channels : i + 1;
        ImageBlock block = new ImageBlock(layout, part, i, end);
        batch.fill(image, row, block.from(), block.to(), value[i]);
      }
    }
  }

  /** Returns the rectangle to erase in an image of this size; null if none fits. */
  private @Nullable Region draw(int width, int height, RandomGenerator random) {
    double imageArea = (double) width * height;
    float logMinRatio = (float) StrictMath.log((float) ratio.min());
    float logMaxRatio = (float) StrictMath.log((float) ratio.max());
    for (int i = 0; i < TRIES; i++) {
      double area = imageArea * scale.draw(random);
      double drawn = (float) StrictMath.exp(Draw.uniform(random, logMinRatio, logMaxRatio));
      int h = (int) Math.rint(Math.sqrt(area * drawn));
      int w = (int) Math.rint(Math.sqrt(area / drawn));
      if (h < height && w < width) {
        int y = Draw.below(random, height - h + 1);
        int x = Draw.below(random, width - w + 1);
        return new Region(x, y, w, h);
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return "RandomErasing(probability=%s, scale=%s, ratio=%s, value=%s)"
        .formatted(probability, scale, ratio, value == null ? "random" : Arrays.toString(value));
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder {
    private double probability = 0.5;
    private UniformRange scale = new UniformRange(0.02, 0.33);
    private UniformRange ratio = new UniformRange(0.3, 3.3);
    private float[] value = {0};

    private Builder() {}

    /** Sets how likely something is erased, 0 to 1; 0.5 by default. */
    public Builder probability(double probability) {
      this.probability = probability;
      return this;
    }

    /** Sets the rectangle's area as a fraction of the image's; 0.02 to 0.33 by default. */
    public Builder scale(double min, double max) {
      this.scale = new UniformRange(min, max);
      return this;
    }

    /** Sets the rectangle's height divided by its width; 0.3 to 3.3 by default. */
    public Builder ratio(double min, double max) {
      this.ratio = new UniformRange(min, max);
      return this;
    }

    /**
     * Sets the value written into each channel, as a value of the finished tensor; 0 by default.
     */
    public Builder value(float value) {
      this.value = new float[] {value};
      return this;
    }

    /** Sets the values written into three channels, as values of the finished tensor. */
    public Builder value(float red, float green, float blue) {
      this.value = new float[] {red, green, blue};
      return this;
    }

    /** Sets the values written into four channels, as values of the finished tensor. */
    public Builder value(float red, float green, float blue, float alpha) {
      this.value = new float[] {red, green, blue, alpha};
      return this;
    }

    /** Has random values of the standard normal distribution written; for float tensors. */
    public Builder randomValue() {
      this.value = null;
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException unless the probability and the scale are within 0 to 1, the
     *     ratio is positive and finite, and both are in order (torchvision only warns of a wrong
     *     order)
     */
    public RandomErasing build() {
      Sizes.checkProbability(probability);
      Sizes.checkRange("scale", scale.min(), scale.max(), 0, 1);
      Sizes.checkRange("ratio", ratio.min(), ratio.max(), Float.MIN_NORMAL, Float.MAX_VALUE);
      return new RandomErasing(this);
    }
  }
}
