package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Region;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.util.List;

/**
 * A transform that crops an image to its four corners and its center: torchvision's FiveCrop, for
 * testing a network on several views. In a batch each element of the list becomes its own tensor:
 * samples {@code record Views(List<Image> image, int label)} become {@code image.0} to {@code
 * image.4}. Each crop decodes only its part. Immutable and thread-safe.
 */
public final class FiveCrop extends Transforms.Value implements Transform<Image, List<Image>> {

  private record Options(Size size) {}

  private final int height;
  private final int width;

  private FiveCrop(Options options) {
    super(options);
    this.height = options.size.height();
    this.width = options.size.width();
  }

  /** Returns the crop to five squares with {@code size} rows and columns, 1 or more. */
  public static FiveCrop of(int size) {
    return of(size, size);
  }

  /** Returns the crop to five parts of {@code height} rows and {@code width} columns, 1 or more. */
  public static FiveCrop of(int height, int width) {
    return new FiveCrop(new Options(new Size(height, width)));
  }

  /**
   * {@inheritDoc}
   *
   * @return the upper left, upper right, lower left and lower right corner, and the center
   * @throws IllegalArgumentException if the image is smaller than a part
   */
  @Override
  public List<Image> apply(Image image) {
    int right = image.width() - width;
    int bottom = image.height() - height;
    if (right < 0 || bottom < 0) {
      throw new IllegalArgumentException(
          "a part of %d x %d does not fit into an image of %d x %d"
              .formatted(width, height, image.width(), image.height()));
    }
    return List.of(
        part(image, 0, 0),
        part(image, right, 0),
        part(image, 0, bottom),
        part(image, right, bottom),
        CenterCrop.of(height, width).apply(image));
  }

  private Image part(Image image, int x, int y) {
    return image.crop(new Region(x, y, width, height));
  }
}
