package io.feedline.formats.tfrecord;

/** What {@code image/format} says of a picture, and the extension of its file's name. */
enum PictureFormat {
  JPEG(".jpg"),
  PNG(".png"),
  WEBP(".webp"),
  BMP(".bmp"),
  GIF(".gif"),
  TIFF(".tif"),
  PNM(".ppm");

  private final String extension;

  PictureFormat(String extension) {
    this.extension = extension;
  }

  String extension() {
    return extension;
  }

  /**
   * The format of an encoded picture, by its first bytes.
   *
   * @param picture its header has been read, so it is one of these
   */
  static PictureFormat of(byte[] picture) {
    return switch (picture[0] & 0xff) {
      case 0xff -> JPEG;
      case 0x89 -> PNG;
      case 'R' -> WEBP;
      case 'B' -> BMP;
      case 'G' -> GIF;
      case 'I', 'M' -> TIFF;
      default -> PNM;
    };
  }
}
