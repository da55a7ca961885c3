package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.transform.Transform;

/**
 * A transform that cuts the middle out of an image; a smaller image is surrounded with black. It
 * takes the same pixels as torchvision's CenterCrop. Immutable and thread-safe.
 */
public final class CenterCrop implements Transform<Image, Image> {
  private final int height;
  private final int width;

  private CenterCrop(int height, int width) {
    this.height = Sizes.check("height", height);
    this.width = Sizes.check("width", width);
  }

  /**
   * Returns the crop to a square.
   *
   * @param size rows and columns of the result
   * @throws IllegalArgumentException if it is less than 1
   */
  public static CenterCrop of(int size) {
    return new CenterCrop(size, size);
  }

  /**
   * Returns the crop to a rectangle.
   *
   * @param height rows, first as everywhere in torchvision
   * @param width columns
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public static CenterCrop of(int height, int width) {
    return new CenterCrop(height, width);
  }

  /** Returns the number of rows of the result. */
  public int height() {
    return height;
  }

  /** Returns the number of columns of the result. */
  public int width() {
    return width;
  }

  @Override
  public Image apply(Image image) {
    int x = start(image.width(), width);
    int y = start(image.height(), height);
    return image.crop(new Region(x, y, width, height));
  }

  /** Half of the pixels cut off, rounded half to even; of an odd padding the smaller half. */
  private static int start(int size, int crop) {
    return size < crop ? -((crop - size) / 2) : (int) Math.rint((size - crop) / 2.0);
  }

  @Override
  public String toString() {
    return "CenterCrop(height=%d, width=%d)".formatted(height, width);
  }
}
