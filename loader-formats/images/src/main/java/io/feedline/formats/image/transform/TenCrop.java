package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.Transform;
import java.util.ArrayList;
import java.util.List;

/**
 * A transform that cuts the four corners and the middle out of an image, and the same out of the
 * mirrored image: torchvision's TenCrop, for testing a network on several views. {@link FiveCrop}
 * describes the list's form in a batch. Each crop decodes only its part. Immutable and thread-safe.
 */
public final class TenCrop implements Transform<Image, List<Image>> {
  private final FiveCrop five;
  private final boolean verticalFlip;

  private TenCrop(Builder builder) {
    this.five = builder.five;
    this.verticalFlip = builder.verticalFlip;
  }

  /**
   * Returns the crop to ten squares, five of them of the image mirrored left to right.
   *
   * @param size rows and columns of each
   * @throws IllegalArgumentException if it is less than 1
   */
  public static TenCrop of(int size) {
    return builder(size, size).build();
  }

  /**
   * Returns the crop to ten rectangles, five of them of the image mirrored left to right.
   *
   * @param height rows, first as everywhere in torchvision
   * @param width columns
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public static TenCrop of(int height, int width) {
    return builder(height, width).build();
  }

  /**
   * Returns a builder for rectangles.
   *
   * @param height rows, first as everywhere in torchvision
   * @param width columns
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public static Builder builder(int height, int width) {
    return new Builder(FiveCrop.of(height, width));
  }

  /** Returns the number of rows of each part. */
  public int height() {
    return five.height();
  }

  /** Returns the number of columns of each part. */
  public int width() {
    return five.width();
  }

  /** Returns whether the image is mirrored top to bottom, instead of left to right. */
  public boolean verticalFlip() {
    return verticalFlip;
  }

  /**
   * {@inheritDoc}
   *
   * @return the upper left, upper right, lower left and lower right corner, and the middle; then
   *     those of the mirrored image
   * @throws IllegalArgumentException if the image is smaller than a part
   */
  @Override
  public List<Image> apply(Image image) {
    List<Image> parts = new ArrayList<>(five.apply(image));
    parts.addAll(five.apply(verticalFlip ? image.flipVertical() : image.flipHorizontal()));
    return List.copyOf(parts);
  }

  @Override
  public String toString() {
    return "TenCrop(height=%d, width=%d, verticalFlip=%s)"
        .formatted(height(), width(), verticalFlip);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder {
    private final FiveCrop five;
    private boolean verticalFlip;

    private Builder(FiveCrop five) {
      this.five = five;
    }

    /**
     * Sets whether the image is mirrored top to bottom, instead of left to right; false by default.
     */
    public Builder verticalFlip(boolean verticalFlip) {
      this.verticalFlip = verticalFlip;
      return this;
    }

    /** Builds the transform. */
    public TenCrop build() {
      return new TenCrop(this);
    }
  }
}
