package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageFormat;

/** The beginning of a coefficient record: the header of the JPEG that it was made of. */
final class CoefficientHeader {

  private CoefficientHeader() {}

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    int version = bytes.u16(CoefficientRecord.VERSION_AT, "the version of the coefficient record");
    if (version != CoefficientRecord.VERSION) {
      throw new FormatException(CoefficientRecord.otherVersion(version));
    }
    long length =
        bytes.u32(CoefficientRecord.HEADER_LENGTH_AT, "the length of the record's JPEG header");
    HeaderBytes jpeg = bytes.part(CoefficientRecord.HEADER_AT, length, true);
    ImageHeader header = JpegHeader.parse(jpeg);
    return ImageHeader.of(
        ImageFormat.COEFFICIENTS,
        header.width(),
        header.height(),
        header.color(),
        header.orientation());
  }
}
