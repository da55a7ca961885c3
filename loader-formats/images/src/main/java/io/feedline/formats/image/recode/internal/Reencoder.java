package io.feedline.formats.image.recode.internal;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.internal.RawRecord;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import java.io.IOException;

/**
 * Converts stored images to other encodings. Keys and labels do not change, and an image that needs
 * no conversion stays the same, byte for byte. Thread-safe.
 */
final class Reencoder {

  private Reencoder() {}

  /**
   * Returns a JPEG whose shorter side has {@code shorterSide} pixels; it keeps the EXIF
   * orientation, but no other metadata. Returns an image that is not larger unchanged.
   */
  static EncodedImage toSmallerJpeg(EncodedImage stored, int shorterSide, int quality)
      throws IOException {
    Image image = decoded(stored);
    Image smaller = shrink(image, shorterSide);
    return smaller == image
        ? stored
        : with(stored, Encoders.jpeg(smaller.pixels(), quality, orientation(stored)));
  }

  /**
   * Returns a raw record of an image's pixels. The record keeps the EXIF orientation, but loses
   * alpha, the lower 8 bits of 16-bit samples, and all other metadata.
   *
   * @param shorterSide the length to which the shorter side is scaled down; 0 to keep the size
   */
  static EncodedImage toRaw(EncodedImage stored, int shorterSide, boolean lz4) throws IOException {
    Image image = decoded(stored);
    Pixels pixels = (shorterSide == 0 ? image : shrink(image, shorterSide)).pixels();
    return with(
        stored,
        RawWriter.write(pixels.rgb(), pixels.width(), pixels.height(), orientation(stored), lz4));
  }

  /** Returns a PNG of a raw record's pixels and orientation; returns other images unchanged. */
  static EncodedImage toPng(EncodedImage stored) throws IOException {
    if (stored.format() != ImageFormat.RAW) {
      return stored;
    }
    RawRecord record = RawRecord.parse(stored.bytes());
    Pixels pixels = decoded(stored).pixels();
    return with(stored, Encoders.png(pixels, record.samples() == 1, record.orientation()));
  }

  /** Returns a coefficient record of a JPEG; returns images that cannot become one unchanged. */
  static EncodedImage toCoefficients(EncodedImage stored) {
    return CoefficientRecord.of(stored.bytes()).map(made -> with(stored, made)).orElse(stored);
  }

  /** Returns the JPEG of a coefficient record; returns other images unchanged. */
  static EncodedImage toJpeg(EncodedImage stored) throws JpegException {
    return stored.format() == ImageFormat.COEFFICIENTS
        ? with(stored, CoefficientRecord.parse(stored.bytes()).toJpeg())
        : stored;
  }

  /** Returns the image scaled to that shorter side, or the image itself if it is not larger. */
  static Image shrink(Image image, int shorterSide) {
    int width = image.width();
    int height = image.height();
    if (Math.min(width, height) <= shorterSide) {
      return image;
    }
    int longer =
        (int) ((double) ((long) shorterSide * Math.max(width, height)) / Math.min(width, height));
    return width <= height
        ? image.resize(shorterSide, longer, Interpolation.BILINEAR)
        : image.resize(longer, shorterSide, Interpolation.BILINEAR);
  }

  private static Image decoded(EncodedImage stored) throws IOException {
    return Image.ofEncoded(stored.bytes(), stored.key(), DecodeOptions.DEFAULT);
  }

  private static int orientation(EncodedImage stored) throws IOException {
    return Image.exifOrientation(stored.bytes());
  }

  private static EncodedImage with(EncodedImage stored, byte[] bytes) {
    return new EncodedImage(stored.key(), bytes, stored.label());
  }
}
