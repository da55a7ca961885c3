package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.util.ArrayList;
import java.util.List;

/**
 * A transform that crops an image and the mirrored image to their four corners and their center:
 * torchvision's TenCrop, for testing a network on several views. {@link FiveCrop} describes the
 * form of the list in a batch. Each crop decodes only its part. Immutable and thread-safe.
 */
public final class TenCrop extends Transforms.Value implements Transform<Image, List<Image>> {

  private record Options(Size size, boolean verticalFlip) {}

  private final FiveCrop five;
  private final boolean verticalFlip;

  private TenCrop(Options options) {
    super(options);
    this.five = FiveCrop.of(options.size.height(), options.size.width());
    this.verticalFlip = options.verticalFlip;
  }

  /**
   * Returns the crop to ten squares with {@code size} rows and columns, 1 or more: five of the
   * image and five of the image mirrored left to right.
   */
  public static TenCrop of(int size) {
    return of(size, size);
  }

  /** Returns the crop to ten parts of {@code height} rows and {@code width} columns, 1 or more. */
  public static TenCrop of(int height, int width) {
    return new TenCrop(new Options(new Size(height, width), false));
  }

  /**
   * Returns the same crop with another mirrored image: mirrored top to bottom if {@code
   * verticalFlip} is true, left to right if false, the default.
   */
  public TenCrop withVerticalFlip(boolean verticalFlip) {
    return with("verticalFlip", verticalFlip);
  }

  /**
   * {@inheritDoc}
   *
   * @return the upper left, upper right, lower left and lower right corner, and the center; then
   *     the same five parts of the mirrored image
   * @throws IllegalArgumentException if the image is smaller than a part
   */
  @Override
  public List<Image> apply(Image image) {
    List<Image> parts = new ArrayList<>(five.apply(image));
    parts.addAll(five.apply(verticalFlip ? image.flipVertical() : image.flipHorizontal()));
    return List.copyOf(parts);
  }
}
