package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.internal.TensorChecks;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;

/**
 * A transform that shifts and scales each channel of a float image: {@code (value / 255 - mean) /
 * std}, in float32 arithmetic, bit for bit as torchvision's Normalize after ToTensor. It may be
 * anywhere in the pipeline: values are normalized when the image is written, after all geometry.
 *
 * <p>With {@link ConvertDtype} values are multiplied by {@code 1 / 255f} instead of divided, as in
 * torchvision's v2. Samples of 16 bits are not divided by 255: they are whole values, or 0 to 1
 * after {@code ConvertDtype}, which must then be before this transform. Immutable and thread-safe.
 */
public final class Normalize extends Transforms.Value implements Transform<Image, Image> {

  @SuppressWarnings("ArrayRecordComponent") // Transforms.Value compares the elements.
  private record Options(float[] mean, float[] std) {
    Options {
      TensorChecks.check(mean, std);
      mean = mean.clone();
      std = std.clone();
    }
  }

  private final Options options;

  private Normalize(Options options) {
    super(options);
    this.options = options;
  }

  /**
   * Returns the transform with a mean and a standard deviation.
   *
   * @param mean the mean of each channel: three values for red, green and blue, four with alpha, or
   *     one for all channels; finite, on the scale of 0 to 1
   * @param std the standard deviations, as many as means, finite and not 0
   */
  public static Normalize of(float[] mean, float[] std) {
    return new Normalize(new Options(mean, std));
  }

  /**
   * Returns the transform with ImageNet's statistics, which torchvision's pretrained models expect:
   * mean (0.485, 0.456, 0.406), std (0.229, 0.224, 0.225).
   */
  public static Normalize imagenet() {
    return of(new float[] {0.485f, 0.456f, 0.406f}, new float[] {0.229f, 0.224f, 0.225f});
  }

  /** Returns the means, in a new array, for example for normalizing on a device. */
  public float[] mean() {
    return options.mean.clone();
  }

  /** Returns the standard deviations, in a new array. */
  public float[] std() {
    return options.std.clone();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the image has another number of channels
   * @throws IllegalStateException if the image is normalized already, or its tensor has an integer
   *     dtype
   */
  @Override
  public Image apply(Image image) {
    return image.normalize(options.mean, options.std);
  }
}
