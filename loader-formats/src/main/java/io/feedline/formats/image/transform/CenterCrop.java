package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Region;
import io.feedline.transform.Transform;

/**
 * Cuts the middle out of an image; where the image is smaller, surrounds it with black. The same
 * pixels as torchvision's CenterCrop takes. Immutable and thread-safe.
 */
public final class CenterCrop implements Transform<Image, Image> {
  private final int height;
  private final int width;

  private CenterCrop(int height, int width) {
    this.height = Sizes.check("height", height);
    this.width = Sizes.check("width", width);
  }

  /**
   * A square.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public static CenterCrop of(int size) {
    return new CenterCrop(size, size);
  }

  /**
   * A rectangle.
   *
   * @param height rows, first as everywhere in torchvision
   * @param width columns
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public static CenterCrop of(int height, int width) {
    return new CenterCrop(height, width);
  }

  /** Rows of the result. */
  public int height() {
    return height;
  }

  /** Columns of the result. */
  public int width() {
    return width;
  }

  @Override
  public Image apply(Image image) {
    int x = start(image.width(), width);
    int y = start(image.height(), height);
    return image.crop(new Region(x, y, width, height));
  }

  /** Half of what is cut off, rounded half to even; of an odd padding the smaller half. */
  private static int start(int size, int crop) {
    return size < crop ? -((crop - size) / 2) : (int) Math.rint((size - crop) / 2.0);
  }

  @Override
  public String toString() {
    return "CenterCrop(height=%d, width=%d)".formatted(height, width);
  }
}
