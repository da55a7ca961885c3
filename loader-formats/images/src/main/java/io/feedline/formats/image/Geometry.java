package io.feedline.formats.image;

import io.feedline.formats.image.codec.internal.ImageHeaders;
import io.feedline.formats.image.kernel.internal.Kernels;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;

/**
 * The geometric half of a recipe (an image's operations still to be done), in the canonical form
 * that {@link FusedWriter} carries out in a single pass:
 *
 * <pre>
 *   source -> region -> scaled region -> window -> flipped window
 * </pre>
 *
 * <p>Steps that fit are folded into this form by arithmetic on coordinates. Some steps do not fit:
 * a resize after a scaling, padding or flip, and a crop that asks for pixels that an earlier crop
 * removed. Such a step begins a new recipe, whose source is the result of this recipe ({@link
 * Intermediate}). So the result always equals, pixel for pixel, the result of one step after the
 * other.
 *
 * @param region the part of the source that is scaled
 * @param scaledWidth the region's width after scaling; the region's own width without scaling
 * @param window the part of the scaled region that is the result; black where the window reaches
 *     outside of the scaled region
 * @param flipped whether the window is mirrored, left to right
 */
record Geometry(
    ImageSource source,
    Region region,
    int scaledWidth,
    int scaledHeight,
    Interpolation interpolation,
    boolean antialias,
    Region window,
    boolean flipped) {

  /** The longest side of an image, in pixels. */
  static final int MAX_SIDE = ImageHeaders.MAX_SIDE;

  /** Returns the geometry that leaves the source unchanged. */
  static Geometry of(ImageSource source) {
    int width = source.width();
    int height = source.height();
    checkSize(width, height);
    Region all = new Region(0, 0, width, height);
    return new Geometry(source, all, width, height, Interpolation.BILINEAR, true, all, false);
  }

  int width() {
    return window.width();
  }

  int height() {
    return window.height();
  }

  Geometry crop(Region part) {
    checkSize(part.width(), part.height());
    if (Math.abs((long) part.x()) > MAX_SIDE || Math.abs((long) part.y()) > MAX_SIDE) {
      throw new IllegalArgumentException(
          "a crop must lie within %d pixels of the image, was %s".formatted(MAX_SIDE, part));
    }
    boolean inside =
        part.x() >= 0
            && part.y() >= 0
            && part.x() + part.width() <= width()
            && part.y() + part.height() <= height();
    if (!inside && cutsPixelsOff()) {
      return restart().crop(part);
    }
    int x = flipped ? width() - part.x() - part.width() : part.x();
    return withWindow(
        new Region(
            Math.addExact(window.x(), x),
            Math.addExact(window.y(), part.y()),
            part.width(),
            part.height()));
  }

  Geometry resize(int width, int height, Interpolation filter, boolean antialias) {
    filter.checkAntialias(antialias);
    checkSize(width, height);
    if (width == width() && height == height()) {
      return this;
    }
    if (antialias && isTallForPillow(height) && width != width()) {
      return resize(width(), height, filter, true).resize(width, height, filter, true);
    }
    // Scaling a mirrored image rounds differently from mirroring a scaled image.
    if (isScaled() || isPadded() || flipped) {
      return restart().resize(width, height, filter, antialias);
    }
    Region part =
        new Region(
            region.x() + window.x(), region.y() + window.y(), window.width(), window.height());
    Region all = new Region(0, 0, width, height);
    return new Geometry(source, part, width, height, filter, antialias, all, false);
  }

  /**
   * Returns whether the height is resized before the width, as in Pillow 12. Returns false for
   * images with alpha, since colors would be divided and multiplied by alpha between the two
   * passes.
   */
  private boolean isTallForPillow(int newHeight) {
    return height() > 100L * width() && newHeight < height() && source.mode() != ImageMode.RGBA;
  }

  Geometry flip() {
    return new Geometry(
        source, region, scaledWidth, scaledHeight, interpolation, antialias, window, !flipped);
  }

  /**
   * Returns this geometry over the source decoded at 1/8, 1/4 or 1/2 of its size, if the source
   * allows this and the region is not enlarged then; otherwise this geometry.
   */
  Geometry reduced() {
    for (int divisor = 8; divisor > 1; divisor /= 2) {
      boolean enough =
          region.width() / divisor >= scaledWidth && region.height() / divisor >= scaledHeight;
      ImageSource small = enough ? source.reduced(divisor) : null;
      if (small != null) {
        return new Geometry(
            small,
            reduced(divisor, small),
            scaledWidth,
            scaledHeight,
            interpolation,
            antialias,
            window,
            flipped);
      }
    }
    return this;
  }

  /** Returns the region in the smaller image; a region that touched an edge still does. */
  private Region reduced(int divisor, ImageSource small) {
    int x = region.x() / divisor;
    int y = region.y() / divisor;
    int right = reduced(region.x() + region.width(), source.width(), divisor, small.width());
    int bottom = reduced(region.y() + region.height(), source.height(), divisor, small.height());
    return new Region(x, y, right - x, bottom - y);
  }

  private static int reduced(int end, int side, int divisor, int smallSide) {
    return end == side ? smallSide : Math.min(smallSide, (end + divisor / 2) / divisor);
  }

  boolean isScaled() {
    return scaledWidth != region.width() || scaledHeight != region.height();
  }

  Kernels kernels() {
    return Kernels.of(source.mode(), isScaled() && interpolation != Interpolation.NEAREST);
  }

  private boolean isPadded() {
    return window.x() < 0
        || window.y() < 0
        || window.x() + window.width() > scaledWidth
        || window.y() + window.height() > scaledHeight;
  }

  private boolean cutsPixelsOff() {
    return window.x() > 0
        || window.y() > 0
        || window.x() + window.width() < scaledWidth
        || window.y() + window.height() < scaledHeight;
  }

  private Geometry withWindow(Region window) {
    return new Geometry(
        source, region, scaledWidth, scaledHeight, interpolation, antialias, window, flipped);
  }

  /** Returns the result as a source: the source itself if this geometry leaves it unchanged. */
  ImageSource asSource() {
    return equals(of(source)) ? source : new Intermediate(this);
  }

  private Geometry restart() {
    return of(new Intermediate(this));
  }

  private static void checkSize(int width, int height) {
    if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) {
      throw new IllegalArgumentException(
          "an image's sides must be 1 to %d pixels, was %d x %d"
              .formatted(MAX_SIDE, width, height));
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(source.inWords());
    if (region.width() != source.width() || region.height() != source.height()) {
      text.append(", cropped to ").append(words(region));
    }
    if (isScaled()) {
      String filter = interpolation + (antialias ? "" : ", not antialiased");
      text.append(", resized to %d x %d (%s)".formatted(scaledWidth, scaledHeight, filter));
    }
    if (isPadded() || cutsPixelsOff()) {
      text.append(", cropped to ").append(words(window));
    }
    if (flipped) {
      text.append(", flipped");
    }
    return text.toString();
  }

  private static String words(Region part) {
    return "%d x %d at (%d, %d)".formatted(part.width(), part.height(), part.x(), part.y());
  }
}
