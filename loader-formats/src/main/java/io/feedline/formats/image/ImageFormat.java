package io.feedline.formats.image;

/** The encodings that are recognized, by their first bytes and not by a file's name. */
enum ImageFormat {
  JPEG,
  PNG,
  BMP,
  WEBP,
  TIFF,
  PNM,
  GIF;

  /** The format whose signature the bytes begin with. */
  static ImageFormat of(HeaderBytes bytes) throws ImageFormatException {
    if (bytes.startsWith(0, "\u00FF\u00D8\u00FF")) {
      return JPEG;
    }
    if (bytes.startsWith(0, PngHeader.SIGNATURE)) {
      return PNG;
    }
    if (bytes.startsWith(0, "RIFF") && bytes.startsWith(8, "WEBP")) {
      return WEBP;
    }
    if (bytes.startsWith(0, "II*\0") || bytes.startsWith(0, "MM\0*")) {
      return TIFF;
    }
    if (bytes.startsWith(0, "GIF8")) {
      return GIF;
    }
    if (bytes.startsWith(0, "BM")) {
      return BMP;
    }
    if (bytes.length() > 2 && bytes.startsWith(0, "P")) {
      int kind = bytes.u8(1, "the kind of PNM");
      if (kind >= '1' && kind <= '6') {
        return PNM;
      }
    }
    throw new ImageFormatException(
        bytes.length() == 0
            ? "the data is empty (0 bytes)"
            : "not an image: %d bytes beginning with %s, which is none of JPEG, PNG, BMP, WebP, TIFF and PNM"
                .formatted(bytes.length(), start(bytes)));
  }

  private static String start(HeaderBytes bytes) throws ImageFormatException {
    StringBuilder hex = new StringBuilder();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(8, bytes.length()); i++) {
      int value = bytes.u8(i, "a first byte");
      hex.append(i == 0 ? "" : " ").append("%02X".formatted(value));
      text.append(value >= ' ' && value < 127 ? (char) value : '.');
    }
    return hex + " (\"" + text + "\")";
  }
}
