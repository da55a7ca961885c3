package io.feedline.formats.tfrecord;

/** What {@code image/format} says of an image, and the extension of its file's name. */
enum StoredFormat {
  JPEG(".jpg"),
  PNG(".png"),
  WEBP(".webp"),
  BMP(".bmp"),
  GIF(".gif"),
  TIFF(".tif"),
  PNM(".ppm");

  private final String extension;

  StoredFormat(String extension) {
    this.extension = extension;
  }

  String extension() {
    return extension;
  }

  /**
   * The format of an encoded image, by its first bytes.
   *
   * @param image its header has been read, so it is one of these
   */
  static StoredFormat of(byte[] image) {
    return switch (image[0] & 0xff) {
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
