package io.feedline.formats.image.transform;

import io.feedline.formats.image.Border;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that cuts a part of one size out of an image, anywhere, after an optional
 * border was added: torchvision's RandomCrop. With a black border, only the part is decoded.
 *
 * <p>Draws the top and then the left of the part; nothing where the image has the size already.
 * Immutable and thread-safe.
 */
public final class RandomCrop implements RandomTransform<Image, Image> {
  private final int height;
  private final int width;
  private final Border padding;
  private final boolean padIfNeeded;

  private RandomCrop(Builder builder) {
    this.height = builder.height;
    this.width = builder.width;
    this.padding = builder.border(builder.left, builder.top, builder.right, builder.bottom);
    this.padIfNeeded = builder.padIfNeeded;
  }

  /**
   * Returns the crop to a square, without a border.
   *
   * @param size rows and columns of the result
   * @throws IllegalArgumentException if it is less than 1
   */
  public static RandomCrop of(int size) {
    return builder(size, size).build();
  }

  /**
   * Returns the crop to a rectangle, without a border.
   *
   * @param height rows, first as everywhere in torchvision
   * @param width columns
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public static RandomCrop of(int height, int width) {
    return builder(height, width).build();
  }

  /**
   * Returns a builder for a square.
   *
   * @param size rows and columns of the result
   * @throws IllegalArgumentException if it is less than 1
   */
  public static Builder builder(int size) {
    return builder(size, size);
  }

  /**
   * Returns a builder for a rectangle.
   *
   * @param height rows, first as everywhere in torchvision
   * @param width columns
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public static Builder builder(int height, int width) {
    return new Builder(Sizes.check("height", height), Sizes.check("width", width));
  }

  /** Returns the number of rows of the result. */
  public int height() {
    return height;
  }

  /** Returns the number of columns of the result. */
  public int width() {
    return width;
  }

  /** Returns the border that every image gets first, as a transform. */
  public Pad padding() {
    return Pad.builder(padding.left(), padding.top(), padding.right(), padding.bottom())
        .mode(padding.mode())
        .fill(padding.fill() >> 16, padding.fill() >> 8 & 0xFF, padding.fill() & 0xFF)
        .build();
  }

  /** Returns whether an image that is too small gets a further border. */
  public boolean padIfNeeded() {
    return padIfNeeded;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the image is smaller than the part, without {@link
   *     Builder#padIfNeeded}
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    Image padded = image.pad(padding);
    if (padIfNeeded && padded.width() < width) {
      padded = padded.pad(border(width - padded.width(), 0));
    }
    if (padIfNeeded && padded.height() < height) {
      padded = padded.pad(border(0, height - padded.height()));
    }
    if (padded.width() < width || padded.height() < height) {
      throw new IllegalArgumentException(
          "a part of %d x %d does not fit into an image of %d x %d; padIfNeeded would enlarge it"
              .formatted(width, height, padded.width(), padded.height()));
    }
    if (padded.width() == width && padded.height() == height) {
      return padded;
    }
    int top = Draw.below(random, padded.height() - height + 1);
    int left = Draw.below(random, padded.width() - width + 1);
    return padded.crop(new Region(left, top, width, height));
  }

  private Border border(int leftAndRight, int topAndBottom) {
    return new Border(
        leftAndRight, topAndBottom, leftAndRight, topAndBottom, padding.mode(), padding.fill());
  }

  @Override
  public String toString() {
    return "RandomCrop(height=%d, width=%d, padding=%s, padIfNeeded=%s)"
        .formatted(height, width, padding, padIfNeeded);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends BorderOptions<Builder> {
    private final int height;
    private final int width;
    private int left;
    private int top;
    private int right;
    private int bottom;
    private boolean padIfNeeded;

    private Builder(int height, int width) {
      this.height = height;
      this.width = width;
    }

    /** Sets the pixels that are added on each side first; 0 by default. */
    public Builder padding(int padding) {
      return padding(padding, padding, padding, padding);
    }

    /** Sets the pixels that are added on each side first, in torchvision's order. */
    public Builder padding(int left, int top, int right, int bottom) {
      this.left = left;
      this.top = top;
      this.right = right;
      this.bottom = bottom;
      return this;
    }

    /**
     * Sets whether the missing size of an image smaller than the part is added on <em>both</em>
     * sides, as in torchvision, so that the image lies anywhere in the part. False by default: then
     * such a image is an error.
     */
    public Builder padIfNeeded(boolean padIfNeeded) {
      this.padIfNeeded = padIfNeeded;
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if a border is negative or above 2^24, or a color is given
     *     for a mode that does not use it
     */
    public RandomCrop build() {
      return new RandomCrop(this);
    }
  }
}
