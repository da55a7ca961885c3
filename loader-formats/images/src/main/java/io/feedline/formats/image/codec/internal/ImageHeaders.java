package io.feedline.formats.image.codec.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.store.ImageFormat;
import java.util.Map;

public final class ImageHeaders {

  private static final String KINDS = "JPEG, PNG, BMP, GIF, WebP, TIFF and PNM";

  private static final Map<String, String> OTHER_SIGNATURES =
      Map.of(
          "\0\0\0\fjP  ", "JPEG 2000",
          "\u00FFO\u00FFQ", "JPEG 2000",
          "\0\0\0\fJXL ", "JPEG XL",
          "\u00FF\n", "JPEG XL",
          "\u001F\u008B", "data in gzip",
          "8BPS", "a Photoshop file",
          "PK\3\4", "a ZIP archive",
          "%PDF", "PDF",
          "\0\0\1\0", "an icon (ICO)");

  /** The largest width or height in pixels; a float represents each smaller integer exactly. */
  public static final int MAX_SIDE = 1 << 24;

  private ImageHeaders() {}

  /**
   * Reads the header of an encoded image of any format.
   *
   * @throws FormatException if the data is not an image, the header is corrupt or unsupported, or
   *     the image has more than {@code maxPixels} pixels
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
    String kind = otherKind(new String(data, 0, Math.min(12, data.length), ISO_8859_1));
    if (!kind.isEmpty()) {
      return new FormatException(
          "%s, which is not supported; %s are: convert or unpack it".formatted(kind, KINDS));
    }
    StringBuilder hex = new StringBuilder();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(8, data.length); i++) {
      int value = data[i] & 0xFF;
      hex.append(i == 0 ? "" : " ").append("%02X".formatted(value));
      text.append(value >= ' ' && value < 127 ? (char) value : '.');
    }
    return new FormatException(
        "not an image: %d bytes beginning with %s (\"%s\"), which is none of %s"
            .formatted(data.length, hex, text, KINDS));
  }

  /** Names, for an error, the format of a file that Feedline cannot decode; empty if unknown. */
  private static String otherKind(String start) {
    if (start.startsWith("ftyp", 4)) {
      String brand = start.substring(8);
      return switch (brand) {
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1" -> "this is HEIC";
        case "avif", "avis" -> "this is AVIF";
        default -> "this is a video (brand '%s')".formatted(brand.replaceAll("\\W", "?"));
      };
    }
    for (Map.Entry<String, String> each : OTHER_SIGNATURES.entrySet()) {
      if (start.startsWith(each.getKey())) {
        return "this is " + each.getValue();
      }
    }
    return "";
  }
}
