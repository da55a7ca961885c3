package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageFormat;

/** The reading of headers: by the format's own parser, or by a decoder that was found. */
public final class ImageHeaders {

  /** The longest side of an image: up to here a float counts pixels exactly, as Pillow needs it. */
  public static final int MAX_SIDE = 1 << 24;

  private ImageHeaders() {}

  /**
   * Reads the header of an encoded image of any format.
   *
   * @param data the whole image
   * @param maxPixels the largest width times height
   * @throws FormatException if the data is not an image, the header is corrupt or unsupported, or
   *     the image is larger than allowed
   */
  public static ImageHeader parse(byte[] data, long maxPixels) throws FormatException {
    ImageFormat format = ImageFormat.of(data);
    ImageHeader header =
        switch (format) {
          case JPEG -> JpegHeader.parse(HeaderBytes.bigEndian(data));
          case COEFFICIENTS -> CoefficientImageDecoder.parse(HeaderBytes.littleEndian(data));
          case RAW -> RawDecoder.parse(HeaderBytes.littleEndian(data));
          case PNG -> PngHeader.parse(HeaderBytes.bigEndian(data));
          case BMP -> BmpHeader.parse(HeaderBytes.littleEndian(data));
          case WEBP -> WebpHeader.parse(HeaderBytes.littleEndian(data));
          case TIFF -> TiffHeader.parse(HeaderBytes.bigEndian(data));
          case PNM -> PnmDecoder.parse(data);
          case GIF -> GifDecoder.parse(HeaderBytes.littleEndian(data));
          case UNKNOWN -> foreign(data);
        };
    if (header.width() > MAX_SIDE || header.height() > MAX_SIDE) {
      throw new FormatException(
          "the %s header claims %d x %d pixels, but a side has at most %d"
              .formatted(format, header.width(), header.height(), MAX_SIDE));
    }
    if ((long) header.width() * header.height() > maxPixels) {
      throw new FormatException(
          "the %s header claims %d x %d pixels, which is more than maxPixels = %d"
              .formatted(format, header.width(), header.height(), maxPixels));
    }
    return header;
  }

  /** Returns the header of an image whose format only a decoder on the class path can know. */
  private static ImageHeader foreign(byte[] data) throws FormatException {
    ImageHeader header = FoundDecoders.header(data);
    if (header != null) {
      return header;
    }
    throw unknown(data);
  }

  private static FormatException unknown(byte[] data) {
    if (data.length == 0) {
      return new FormatException("the data is empty (0 bytes)");
    }
    String kind = ImageFormat.otherKind(data);
    if (!kind.isEmpty()) {
      return new FormatException(
          "%s is not supported; JPEG, PNG, BMP, WebP, TIFF and PNM are%s"
              .formatted(kind, kind.startsWith("gzip") ? ": unpack it" : ": convert it"));
    }
    StringBuilder hex = new StringBuilder();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(8, data.length); i++) {
      int value = data[i] & 0xFF;
      hex.append(i == 0 ? "" : " ").append("%02X".formatted(value));
      text.append(value >= ' ' && value < 127 ? (char) value : '.');
    }
    return new FormatException(
        "not an image: %d bytes beginning with %s (\"%s\"), which is none of JPEG, PNG, BMP, GIF, WebP, TIFF and PNM"
            .formatted(data.length, hex, text));
  }
}
