package io.feedline.formats.image.transform;

import io.feedline.formats.image.Border;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.transform.Transform;

/**
 * A transform that surrounds an image with a border: torchvision's Pad. Negative padding, by which
 * torchvision cuts off, is an error here. Immutable and thread-safe.
 *
 * <p>Where a reflected border is longer than the image, the image is mirrored again and again;
 * NumPy before 2.0, on which torchvision relies, continues some such borders in another way.
 */
public final class Pad implements Transform<Image, Image> {
  private final Border padding;

  private Pad(Border padding) {
    this.padding = padding;
  }

  /**
   * Returns the transform that adds a black border.
   *
   * @param padding pixels on each side
   * @throws IllegalArgumentException if it is negative or above 2^24
   */
  public static Pad of(int padding) {
    return builder(padding).build();
  }

  /**
   * Returns a builder for equal borders.
   *
   * @param padding pixels on each side, 0 or more
   */
  public static Builder builder(int padding) {
    return builder(padding, padding);
  }

  /**
   * Returns a builder for borders that are equal in pairs.
   *
   * @param leftAndRight columns on each of the two sides
   * @param topAndBottom rows on each of the two sides
   */
  public static Builder builder(int leftAndRight, int topAndBottom) {
    return builder(leftAndRight, topAndBottom, leftAndRight, topAndBottom);
  }

  /**
   * Returns a builder for four borders, in torchvision's order.
   *
   * @param left columns, 0 or more
   * @param top rows, 0 or more
   * @param right columns, 0 or more
   * @param bottom rows, 0 or more
   */
  public static Builder builder(int left, int top, int right, int bottom) {
    return new Builder(left, top, right, bottom);
  }

  /** Returns the number of columns on the left. */
  public int left() {
    return padding.left();
  }

  /** Returns the number of rows on top. */
  public int top() {
    return padding.top();
  }

  /** Returns the number of columns on the right. */
  public int right() {
    return padding.right();
  }

  /** Returns the number of rows at the bottom. */
  public int bottom() {
    return padding.bottom();
  }

  /** Returns the way the border is filled. */
  public PaddingMode mode() {
    return padding.mode();
  }

  /** Returns the color of a constant border, as {@code 0xRRGGBB}. */
  public int fill() {
    return padding.fill();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a side would exceed 2^24 pixels
   */
  @Override
  public Image apply(Image image) {
    return image.pad(padding);
  }

  @Override
  public String toString() {
    return "Pad(%s)".formatted(padding);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends BorderOptions<Builder> {
    private final int left;
    private final int top;
    private final int right;
    private final int bottom;

    private Builder(int left, int top, int right, int bottom) {
      this.left = left;
      this.top = top;
      this.right = right;
      this.bottom = bottom;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if a border is negative or above 2^24, or a color is given
     *     for a mode that does not use it
     */
    public Pad build() {
      return new Pad(border(left, top, right, bottom));
    }
  }
}
