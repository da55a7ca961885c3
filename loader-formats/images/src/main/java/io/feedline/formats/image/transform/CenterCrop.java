package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Region;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;

/**
 * A transform that crops an image to its center; a smaller image is padded with black. The pixels
 * equal those of torchvision's CenterCrop. Immutable and thread-safe.
 */
public final class CenterCrop extends Transforms.Value implements Transform<Image, Image> {

  private record Options(Size size) {}

  private final Size size;

  private CenterCrop(Options options) {
    super(options);
    this.size = options.size;
  }

  /** Returns the crop to a square with {@code size} rows and columns, 1 or more. */
  public static CenterCrop of(int size) {
    return of(size, size);
  }

  /** Returns the crop to {@code height} rows and {@code width} columns, each 1 or more. */
  public static CenterCrop of(int height, int width) {
    return new CenterCrop(new Options(new Size(height, width)));
  }

  @Override
  public Image apply(Image image) {
    int x = start(image.width(), size.width());
    int y = start(image.height(), size.height());
    return image.crop(new Region(x, y, size.width(), size.height()));
  }

  /**
   * Returns the first column or row of the crop: half of the pixels to cut off, rounded half to
   * even; for an image smaller than the crop, minus half of the pixels to add, rounded down.
   */
  private static int start(int size, int crop) {
    return size < crop ? -((crop - size) / 2) : (int) Math.rint((size - crop) / 2.0);
  }
}
