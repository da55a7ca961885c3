package io.feedline.formats.image.codec;

import io.feedline.data.FormatException;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.store.ImageFormat;
import java.util.Arrays;

/**
 * The properties of an encoded image that are known before it is decoded. They are read from the
 * bytes alone, in a time that does not depend on the image's size.
 *
 * @param format the format that the signature names
 * @param width the number of stored columns, 1 or more
 * @param height the number of stored rows, 1 or more
 * @param color the color space of the stored samples
 * @param orientation the turn needed for display
 */
public record ImageHeader(
    ImageFormat format, int width, int height, ColorSpace color, Orientation orientation) {

  /** The colors that the stored samples represent. */
  public enum ColorSpace {
    /** RGB, or colors that the format's decoder determines itself. */
    PLAIN,
    /** Luminance alone; only for JPEGs. */
    GRAY,
    /** Luminance and color differences, as nearly all JPEGs have. */
    YCBCR,
    /** Four inks; in a JPEG they are stored inverted, as Adobe does. */
    CMYK,
    /** Four inks, of which three are stored as luminance and color differences. */
    YCCK
  }

  /**
   * Returns the header of an image after checking that its size is possible.
   *
   * @throws FormatException if a side is not from 1 to 2^31 - 1
   */
  public static ImageHeader of(
      ImageFormat format, long width, long height, ColorSpace color, Orientation orientation)
      throws FormatException {
    if (width < 1 || height < 1 || width > Integer.MAX_VALUE || height > Integer.MAX_VALUE) {
      throw new FormatException(
          "the %s header claims %d x %d pixels; each side must be 1 or more"
              .formatted(format, width, height));
    }
    return new ImageHeader(format, (int) width, (int) height, color, orientation);
  }

  /**
   * Checks that an image has the size of this header when it is read a second time.
   *
   * @throws FormatException if the image has another size
   */
  public void requireSize(int foundWidth, int foundHeight) throws FormatException {
    if (foundWidth != width || foundHeight != height) {
      throw new FormatException(
          "the image has been replaced since its header was read: it had %d x %d pixels, and has %d x %d"
              .formatted(width, height, foundWidth, foundHeight));
    }
  }

  /**
   * The turning and mirroring of a stored image for display: the eight values of the EXIF and TIFF
   * tag Orientation (0x0112), in their order.
   *
   * <p>The pixel displayed at (x, y) is stored at (x, y), or at (y, x) if the axes are swapped. If
   * a stored axis is flipped, its coordinate counts from the axis's end.
   */
  public enum Orientation {
    /** No turn. */
    NORMAL(false, false, false),
    /** Left and right exchanged. */
    MIRRORED(false, true, false),
    /** Turned by 180 degrees. */
    UPSIDE_DOWN(false, true, true),
    /** Top and bottom exchanged. */
    UPSIDE_DOWN_MIRRORED(false, false, true),
    /** Mirrored at the diagonal from the upper left. */
    TRANSPOSED(true, false, false),
    /** Turned by 90 degrees clockwise. */
    CLOCKWISE(true, false, true),
    /** Mirrored at the diagonal from the upper right. */
    TRANSVERSED(true, true, true),
    /** Turned by 90 degrees counterclockwise. */
    COUNTER_CLOCKWISE(true, true, false);

    private static final Orientation[] BY_TAG = values();

    private final boolean swapsAxes;
    private final boolean flipsX;
    private final boolean flipsY;

    Orientation(boolean swapsAxes, boolean flipsX, boolean flipsY) {
      this.swapsAxes = swapsAxes;
      this.flipsX = flipsX;
      this.flipsY = flipsY;
    }

    /** Returns the orientation of a tag's value; {@link #NORMAL} if the value is not 1 to 8. */
    public static Orientation ofTag(int value) {
      return value >= 1 && value <= BY_TAG.length ? BY_TAG[value - 1] : NORMAL;
    }

    /** Returns the value of the tag Orientation, 1 to 8, for this orientation. */
    public int tag() {
      return Arrays.asList(BY_TAG).indexOf(this) + 1;
    }

    /** Returns whether rows are displayed as columns. */
    public boolean swapsAxes() {
      return swapsAxes;
    }

    /** Returns whether the displayed image has the stored columns in reverse order. */
    public boolean flipsX() {
      return flipsX;
    }

    /** Returns whether the displayed image has the stored rows in reverse order. */
    public boolean flipsY() {
      return flipsY;
    }

    /** Returns the part of the stored image that a region of the displayed image shows. */
    public Region stored(Region shown, int storedWidth, int storedHeight) {
      int x = swapsAxes ? shown.y() : shown.x();
      int y = swapsAxes ? shown.x() : shown.y();
      int width = swapsAxes ? shown.height() : shown.width();
      int height = swapsAxes ? shown.width() : shown.height();
      return new Region(
          flipsX ? storedWidth - x - width : x,
          flipsY ? storedHeight - y - height : y,
          width,
          height);
    }
  }
}
