package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageFormat;
import java.io.IOException;
import java.util.Optional;

/**
 * A JPEG, or a coefficient record, at a half, a quarter or an eighth of its size, as its
 * coefficients give it.
 *
 * @param width columns of the smaller image
 * @param height rows of the smaller image
 * @param divisor divides the sides of the whole image
 * @param mode the mode of its pixels, with 8 bits
 * @param decoding decodes parts of it
 */
public record ReducedJpeg(int width, int height, int divisor, ImageMode mode, Decoding decoding)
    implements ImageSource {

  /** The decoding of a part of the smaller image. */
  interface Decoding {
    PixelRows decode(Region region) throws IOException;
  }

  /**
   * Returns the smaller image; empty if Feedline's decoder leaves the image to others, or if it is
   * damaged or incomplete.
   *
   * @param format of the image: JPEG or COEFFICIENTS
   * @param divisor of the sides
   * @param place where its scan index is kept, if it is a JPEG
   */
  public static Optional<ReducedJpeg> of(
      byte[] data, ImageFormat format, int divisor, ImageMode mode, ScanIndexStore.Place place) {
    if (mode.bits() != 8) {
      return Optional.empty();
    }
    try {
      return format == ImageFormat.JPEG
          ? ofJpeg(data, divisor, mode, place)
          : ofRecord(data, divisor, mode);
    } catch (JpegException | FormatException damaged) {
      // The decoder of the whole image reports the error.
      return Optional.empty();
    }
  }

  private static Optional<ReducedJpeg> ofJpeg(
      byte[] data, int divisor, ImageMode mode, ScanIndexStore.Place place)
      throws JpegException, FormatException {
    JpegImage jpeg = JpegImage.parse(data);
    if (jpeg.unsupported() != null || !JpegHeader.isComplete(data)) {
      return Optional.empty();
    }
    return of(
        jpeg.width(),
        jpeg.height(),
        divisor,
        mode,
        region -> JavaJpegDecoder.decodeReduced(jpeg, divisor, region, place, mode));
  }

  private static Optional<ReducedJpeg> ofRecord(byte[] data, int divisor, ImageMode mode)
      throws JpegException {
    CoefficientRecord record = CoefficientRecord.parse(data);
    return of(
        record.width(),
        record.height(),
        divisor,
        mode,
        region -> CoefficientImageDecoder.decodeReduced(record, divisor, region, mode));
  }

  private static Optional<ReducedJpeg> of(
      int width, int height, int divisor, ImageMode mode, Decoding decoding) {
    return Optional.of(
        new ReducedJpeg(
            (width + divisor - 1) / divisor,
            (height + divisor - 1) / divisor,
            divisor,
            mode,
            decoding));
  }

  @Override
  public PixelRows decode(Region region) throws IOException {
    return decoding.decode(region);
  }
}
