package io.feedline.formats.store;

import java.util.List;

/** The encoding of an image, recognized by its first bytes and not by its file's name. */
public enum ImageFormat {
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
  /** Portable bitmaps, graymaps and pixmaps. */
  PNM("ppm"),
  /**
   * Coefficient record: a baseline JPEG whose entropy coding has been undone when it was packed, so
   * that it decodes faster, to the same pixels. Only Feedline reads it.
   */
  COEFFICIENTS("flc"),
  /** Raw record: an image's pixels, decoded when they were packed. Only Feedline reads it. */
  RAW("flr"),
  /** GIF, which is recognized but not decoded. */
  GIF("gif"),
  /** Any other encoding. */
  UNKNOWN("bin");

  /**
   * The endings of image files' names, in lower case and with the dot: torchvision's, and those of
   * coefficient and raw records. A name matches in upper case, too.
   */
  public static final List<String> EXTENSIONS =
      List.of(
          ".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp", ".flc",
          ".flr");

  private static final String PNG_SIGNATURE = "\u0089PNG\r\n\u001A\n";
  private static final String COEFFICIENTS_SIGNATURE = "\u0089FLC\r\n\u001A\n";
  private static final String RAW_SIGNATURE = "\u0089FLR\r\n\u001A\n";

  private final String suffix;

  ImageFormat(String suffix) {
    this.suffix = suffix;
  }

  /**
   * Returns whether this is {@link #COEFFICIENTS} or {@link #RAW}. A part of such an image can be
   * decoded without reading the other parts.
   */
  public boolean isRecord() {
    return this == COEFFICIENTS || this == RAW;
  }

  /** Returns the usual extension of a file's name, in lower case, without the dot. */
  public String suffix() {
    return suffix;
  }

  /**
   * Returns the format whose signature is at the beginning of the bytes; {@link #UNKNOWN} if no
   * signature matches, never null.
   */
  public static ImageFormat of(byte[] encoded) {
    if (startsWith(encoded, 0, "\u00FF\u00D8\u00FF")) {
      return JPEG;
    }
    if (startsWith(encoded, 0, PNG_SIGNATURE)) {
      return PNG;
    }
    if (startsWith(encoded, 0, COEFFICIENTS_SIGNATURE)) {
      return COEFFICIENTS;
    }
    if (startsWith(encoded, 0, RAW_SIGNATURE)) {
      return RAW;
    }
    if (startsWith(encoded, 0, "RIFF") && startsWith(encoded, 8, "WEBP")) {
      return WEBP;
    }
    if (startsWith(encoded, 0, "II*\0") || startsWith(encoded, 0, "MM\0*")) {
      return TIFF;
    }
    if (startsWith(encoded, 0, "II+\0") || startsWith(encoded, 0, "MM\0+")) {
      // BigTIFF, whose offsets have 8 bytes.
      return TIFF;
    }
    if (startsWith(encoded, 0, "GIF8")) {
      return GIF;
    }
    if (startsWith(encoded, 0, "BM")) {
      return BMP;
    }
    if (encoded.length > 2 && encoded[0] == 'P' && encoded[1] >= '1' && encoded[1] <= '6') {
      return PNM;
    }
    return UNKNOWN;
  }

  /** Tests whether a signature is at an offset; each char is one byte. */
  private static boolean startsWith(byte[] encoded, int offset, String signature) {
    if (encoded.length < offset + signature.length()) {
      return false;
    }
    for (int i = 0; i < signature.length(); i++) {
      if ((encoded[offset + i] & 0xFF) != signature.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
