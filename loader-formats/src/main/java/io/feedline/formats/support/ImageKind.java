package io.feedline.formats.support;

/** The encodings of images that are recognized, by their first bytes. */
public enum ImageKind {
  /** JPEG, of any kind. */
  JPEG("jpg"),
  /** PNG. */
  PNG("png"),
  /** Windows bitmap. */
  BMP("bmp"),
  /** WebP. */
  WEBP("webp"),
  /** TIFF, of either byte order. */
  TIFF("tif"),
  /** GIF. */
  GIF("gif"),
  /** Portable bitmap. */
  PBM("pbm"),
  /** Portable graymap. */
  PGM("pgm"),
  /** Portable pixmap. */
  PPM("ppm"),
  /** None of these. */
  UNKNOWN("bin");

  private final String suffix;

  ImageKind(String suffix) {
    this.suffix = suffix;
  }

  /** The usual end of a file name, without the dot. */
  public String suffix() {
    return suffix;
  }

  /** The kind of an encoded image; {@link #UNKNOWN} for anything else, never null. */
  public static ImageKind of(byte[] encoded) {
    if (startsWith(encoded, 0, 0xFF, 0xD8, 0xFF)) {
      return JPEG;
    }
    if (startsWith(encoded, 0, 0x89, 'P', 'N', 'G')) {
      return PNG;
    }
    if (startsWith(encoded, 0, 'R', 'I', 'F', 'F') && startsWith(encoded, 8, 'W', 'E', 'B', 'P')) {
      return WEBP;
    }
    if (startsWith(encoded, 0, 'I', 'I', '*', 0) || startsWith(encoded, 0, 'M', 'M', 0, '*')) {
      return TIFF;
    }
    if (startsWith(encoded, 0, 'G', 'I', 'F', '8')) {
      return GIF;
    }
    if (startsWith(encoded, 0, 'B', 'M')) {
      return BMP;
    }
    if (encoded.length > 2 && encoded[0] == 'P') {
      return switch (encoded[1]) {
        case '1', '4' -> PBM;
        case '2', '5' -> PGM;
        case '3', '6' -> PPM;
        default -> UNKNOWN;
      };
    }
    return UNKNOWN;
  }

  private static boolean startsWith(byte[] encoded, int from, int... expected) {
    if (encoded.length < from + expected.length) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      if ((encoded[from + i] & 0xFF) != expected[i]) {
        return false;
      }
    }
    return true;
  }
}
