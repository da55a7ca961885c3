package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.internal.RawRecord;
import io.feedline.formats.image.pixel.ImageMode;

/** Finds the mode that keeps most of an encoded image's data; reads only the image's header. */
public final class StoredMode {

  private StoredMode() {}

  public static ImageMode of(byte[] data) throws FormatException {
    ImageHeader header = ImageHeaders.parse(data, Long.MAX_VALUE);
    return switch (header.format()) {
      case JPEG, COEFFICIENTS -> header.color() == ColorSpace.GRAY ? ImageMode.GRAY : ImageMode.RGB;
      case PNG -> ofPng(HeaderBytes.bigEndian(data));
      case TIFF -> TiffLayout.of(TiffHeader.of(data), header).mode();
      case PNM -> PnmDecoder.mode(data);
      case RAW -> RawRecord.parse(data).samples() == 1 ? ImageMode.GRAY : ImageMode.RGB;
      case WEBP -> ofWebp(HeaderBytes.littleEndian(data));
      case BMP -> BmpHeader.of(data).mode();
      case GIF, UNKNOWN -> ImageMode.RGB;
    };
  }

  private static ImageMode ofPng(HeaderBytes bytes) throws FormatException {
    boolean wide = bytes.u8(24, "the bit depth of the PNG") == 16;
    int type = bytes.u8(25, "the color type of the PNG");
    return switch (type) {
      case PngChunks.GRAY -> wide ? ImageMode.GRAY16 : ImageMode.GRAY;
      case PngChunks.GRAY_ALPHA, PngChunks.RGB_ALPHA -> ImageMode.RGBA;
      default -> ImageMode.RGB;
    };
  }

  private static ImageMode ofWebp(HeaderBytes bytes) throws FormatException {
    boolean alpha = false;
    if (bytes.startsWith(12, "VP8X")) {
      alpha = (bytes.u8(20, "the flags of the WebP") & 0x10) != 0;
    } else if (bytes.startsWith(12, "VP8L")) {
      alpha = ((bytes.u32(21, "the size of the WebP") >> 28) & 1) != 0;
    }
    return alpha ? ImageMode.RGBA : ImageMode.RGB;
  }
}
