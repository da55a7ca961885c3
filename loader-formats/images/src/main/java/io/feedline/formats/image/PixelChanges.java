package io.feedline.formats.image;

import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.internal.PackedRgb;

/**
 * Applies changes that are defined for three channels to sources of every mode: to the channel of a
 * gray source, or to colors and alpha separately if there is alpha.
 */
final class PixelChanges {

  /** The fill of 255 for a source with one channel, whose value lies in the byte of red. */
  private static final int ONE_SAMPLE = 0xFF0000;

  private PixelChanges() {}

  /** A geometric change with a fill color, 0xRRGGBB. */
  interface Filled {
    ImageSource of(ImageSource source, int fill);
  }

  /**
   * Returns a source after a geometric change.
   *
   * @param interpolates whether the change mixes pixels, so that colors are weighted by alpha
   */
  static ImageSource filled(ImageSource source, int fill, boolean interpolates, Filled change) {
    return switch (source.mode()) {
      case RGB, GRAY16 -> change.of(source, fill);
      case GRAY -> change.of(source, PackedRgb.luminanceOf(fill) << 16);
      case RGBA ->
          RgbaSource.of(
              source,
              rgb -> change.of(rgb, fill),
              alpha -> change.of(alpha, fill == 0 ? 0 : ONE_SAMPLE),
              interpolates);
    };
  }

  static ImageSource operated(ImageSource source, PixelOperation operation) {
    return switch (source.mode()) {
      case RGB -> OperatedSource.of(source, operation);
      case GRAY -> OperatedSource.ofGray(source, operation);
      case RGBA ->
          RgbaSource.of(source, rgb -> OperatedSource.of(rgb, operation), alpha -> alpha, false);
      case GRAY16 -> throw new IllegalArgumentException("samples of 16 bits, for " + operation);
    };
  }
}
