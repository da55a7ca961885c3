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
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A random transform that overwrites a random rectangle of the finished tensor, with some
 * probability: torchvision's RandomErasing ("Random Erasing Data Augmentation", Zhong et al.,
 * 2017). The final values, after normalization, are overwritten, so this must be the last
 * transform: a later transform that changes pixels or normalizes throws {@link
 * IllegalStateException}.
 *
 * <p>Draws whether to erase; then up to ten times an area and an aspect ratio, height to width,
 * until a rectangle is smaller than the image in both directions; then the top and left of this
 * rectangle. If no rectangle fits, nothing is erased. Random values of the standard normal
 * distribution come from a seed that is drawn last; torchvision draws these values before the
 * position. Immutable and thread-safe.
 */
public final class RandomErasing extends Transforms.Value implements RandomTransform<Image, Image> {

  /** The options; the value has a number per channel or one for all; empty means random values. */
  private record Options(double probability, Range scale, Range ratio, Optional<float[]> value) {
    Options {
      Sizes.checkProbability(probability);
      scale.within("scale", 0, 1);
      ratio.positive("ratio");
      value.ifPresent(RandomErasing::requireChannels);
    }
  }

  private static void requireChannels(float[] value) {
    if (value.length != 1 && value.length != 3 && value.length != 4) {
      throw new IllegalArgumentException("value must be 1, 3 or 4 numbers, was " + value.length);
    }
  }

  private final Options options;

  /** The numbers of the value option; null for random values. */
  private final float @Nullable [] value;

  private RandomErasing(Options options) {
    super(options);
    this.options = options;
    this.value = options.value.orElse(null);
  }

  /**
   * Returns the transform with torchvision's defaults: one image in two, 0.02 to 0.33 of the area,
   * a ratio of 0.3 to 3.3, overwritten with 0.
   */
  public static RandomErasing of() {
    return of(0.5);
  }

  /** Returns the transform with torchvision's defaults and this probability, 0 to 1. */
  public static RandomErasing of(double probability) {
    return new RandomErasing(
        new Options(
            probability, new Range(0.02, 0.33), new Range(0.3, 3.3), Optional.of(new float[] {0})));
  }

  /** Returns the same transform with another probability, 0 to 1. */
  public RandomErasing withProbability(double probability) {
    return with("probability", probability);
  }

  /**
   * Returns the same transform with another range of the rectangle's area, as a fraction of the
   * image's area, {@code 0 <= min <= max <= 1}; 0.02 to 0.33 by default. torchvision only warns if
   * {@code min > max}.
   */
  public RandomErasing withScale(double min, double max) {
    return with("scale", new Range(min, max));
  }

  /**
   * Returns the same transform with another range of the rectangle's ratio of height to width,
   * {@code 0 < min <= max}; 0.3 to 3.3 by default. torchvision only warns if {@code min > max}.
   */
  public RandomErasing withRatio(double min, double max) {
    return with("ratio", new Range(min, max));
  }

  /** Returns the same transform with another value to write to all channels; 0 by default. */
  public RandomErasing withValue(float value) {
    return with("value", Optional.of(new float[] {value}));
  }

  /** Returns the same transform with other values to write to the three channels. */
  public RandomErasing withValue(float red, float green, float blue) {
    return with("value", Optional.of(new float[] {red, green, blue}));
  }

  /** Returns the same transform with other values to write to the four channels. */
  public RandomErasing withValue(float red, float green, float blue, float alpha) {
    return with("value", Optional.of(new float[] {red, green, blue, alpha}));
  }

  /** Returns the same transform with standard normal random values; only for float tensors. */
  public RandomErasing withRandomValue() {
    return with("value", Optional.empty());
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
    if (!Draw.happens(random, options.probability)) {
      return image;
    }
    Region part = draw(image.width(), image.height(), random);
    if (part == null) {
      return image;
    }
    return value == null ? image.eraseWithNoise(part, random.nextLong()) : image.erase(part, value);
  }

  /** Returns the transform of {@link #onBatches(String, ImageLayout)} for images in CHW. */
  public BatchTransform onBatches(String image) {
    return onBatches(image, ImageLayout.CHW);
  }

  /**
   * Returns the same transform for the images of a finished batch: on a device, by {@code
   * transformOnDevice} of loader-gpu's builders, or in host memory. The result draws for each image
   * from the batch's generator, so its rectangles differ from the rectangles that this transform
   * draws.
   *
   * @param image the name of the images' tensor, of rank 4 and of UINT8 or a floating-point dtype
   * @param layout the order of the images' axes
   * @return a transform that throws {@link IllegalArgumentException} for a batch without such a
   *     tensor, or with another number of channels than there are values
   * @throws IllegalStateException after {@link #withRandomValue}, since only the transform of
   *     single images writes random values
   */
  public BatchTransform onBatches(String image, ImageLayout layout) {
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(layout, "layout");
    if (value == null) {
      throw new IllegalStateException(
          this + " writes random values, which batches do not take; use it on single images");
    }
    return new OnBatches(this, image, layout);
  }

  record OnBatches(RandomErasing erasing, String image, ImageLayout layout)
      implements BatchTransform {
    @Override
    public void apply(MutableBatch batch, RandomGenerator random) {
      erasing.eraseIn(batch, image, layout, random);
    }

    @Override
    public String toString() {
      return "%s on batches of %s %s".formatted(erasing, layout, image);
    }
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
      Region part = Draw.happens(random, options.probability) ? draw(width, height, random) : null;
      for (int i = 0; part != null && i < value.length; i++) {
        int end = value.length == 1 ? channels : i + 1;
        ImageBlock block = new ImageBlock(layout, part, i, end);
        batch.fill(image, row, block.from(), block.to(), value[i]);
      }
    }
  }

  /** Returns the rectangle to erase in an image of this size; null if no rectangle fits. */
  private @Nullable Region draw(int width, int height, RandomGenerator random) {
    double imageArea = (double) width * height;
    float logMinRatio = (float) StrictMath.log((float) options.ratio.min());
    float logMaxRatio = (float) StrictMath.log((float) options.ratio.max());
    for (int i = 0; i < RandomResizedCrop.TRIES; i++) {
      double area = imageArea * options.scale.draw(random);
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
}
