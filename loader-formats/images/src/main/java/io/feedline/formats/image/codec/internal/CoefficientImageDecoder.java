package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientDecoder;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.ImageStore.StoredImage;
import java.io.IOException;

/** A decoder of regions of coefficient records, to the pixels of the record's JPEG. */
final class CoefficientImageDecoder implements InPlaceDecoder {

  private static final ThreadDecoder<CoefficientDecoder> DECODER =
      new ThreadDecoder<>(CoefficientDecoder::new);

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    int version = bytes.u16(CoefficientLayout.VERSION_AT, "the version of the coefficient record");
    if (version != CoefficientLayout.VERSION) {
      throw new FormatException(CoefficientRecord.otherVersion(version));
    }
    long length =
        bytes.u32(CoefficientLayout.HEADER_LENGTH_AT, "the length of the record's JPEG header");
    HeaderBytes jpeg = bytes.part(CoefficientLayout.HEADER_AT, length, true);
    ImageHeader header = JpegHeader.parse(jpeg);
    return ImageHeader.of(
        ImageFormat.COEFFICIENTS,
        header.width(),
        header.height(),
        header.color(),
        header.orientation());
  }

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws IOException {
    Conversion.requireEightBits(header, mode);
    return decodeReduced(CoefficientRecord.parse(data), 1, region, mode);
  }

  @Override
  public long headerBytes(byte[] beginning) {
    return CoefficientRecord.headerBytes(beginning);
  }

  @Override
  public PixelRows decode(StoredImage image, ImageHeader header, Region region, ImageMode mode)
      throws IOException {
    Conversion.requireEightBits(header, mode);
    CoefficientRecord record = CoefficientRecord.parse(image.length(), image::read);
    header.requireSize(record.width(), record.height());
    return decodeReduced(record, 1, region, mode);
  }

  static PixelRows decodeReduced(
      CoefficientRecord record, int divisor, Region region, ImageMode mode) throws JpegException {
    return DECODER.decode(
        region,
        mode,
        record.rgb(),
        decoder ->
            decoder.decode(
                record, divisor, region.x(), region.y(), region.width(), region.height()));
  }
}
