package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.PixelOperation;
import io.feedline.transform.Transform;

/**
 * A transform that makes an image gray: torchvision's Grayscale with {@code num_output_channels=3}.
 * An image here always has three channels; they become equal. The luminance is Pillow's, bit for
 * bit. Immutable and thread-safe.
 */
public final class Grayscale implements Transform<Image, Image> {
  private static final PixelOperation GRAYSCALE = ColorOperations.grayscale();

  private Grayscale() {}

  /** Returns the transform, which has no options. */
  public static Grayscale of() {
    return new Grayscale();
  }

  @Override
  public Image apply(Image image) {
    return image.map(GRAYSCALE);
  }

  @Override
  public String toString() {
    return "Grayscale()";
  }
}
