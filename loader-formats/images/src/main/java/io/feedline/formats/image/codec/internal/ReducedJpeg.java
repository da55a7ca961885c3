package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.store.ImageFormat;
import java.io.IOException;
import java.util.Optional;

/**
 * A JPEG or a coefficient record at a half, a quarter or an eighth of its size, decoded from the
 * coefficients of the lower frequencies. Width and height are those of the smaller image.
 */
public record ReducedJpeg(int width, int height, int divisor, ImageMode mode, Decoding decoding)
    implements ImageSource {

  interface Decoding {
    PixelRows decode(Region region) throws IOException;
  }

  /** Returns the smaller image; empty for 16 bits, a lossless JPEG, or a damaged header. */
  public static Optional<ReducedJpeg> of(
      byte[] data, ImageHeader header, int divisor, ImageMode mode, ScanIndexStore.Place place) {
    if (mode.bits() != 8) {
      return Optional.empty();
    }
    try {
      if (header.format() != ImageFormat.JPEG) {
        CoefficientRecord record = CoefficientRecord.parse(data);
        return of(
            record.width(),
            record.height(),
            divisor,
            mode,
            region -> CoefficientImageDecoder.decodeReduced(record, divisor, region, mode));
      }
      JpegImage jpeg = JpegImage.parse(data);
      return jpeg.isLossless()
          ? Optional.empty()
          : of(
              header.width(),
              header.height(),
              divisor,
              mode,
              region -> JavaJpegDecoder.decode(jpeg, header, divisor, region, place, mode));
    } catch (JpegException damaged) {
      // Decoding the whole image will report this error.
      return Optional.empty();
    }
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
