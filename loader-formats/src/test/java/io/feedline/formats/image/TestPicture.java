package io.feedline.formats.image;

/** The pictures of the tests, made by arithmetic here and in picture.py alike. */
final class TestPicture {
  private TestPicture() {}

  /** The samples of a picture: smooth slopes, hard edges where they wrap, a checkerboard. */
  static byte[] rgb(int width, int height) {
    byte[] rgb = new byte[3 * width * height];
    int at = 0;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < 3; c++) {
          int board = (((x >> 2) ^ (y >> 3)) & 1) * 90;
          rgb[at++] = (byte) (x * (3 + c) + y * (5 - c) + c * 71 + ((x * y) >> 3) + board);
        }
      }
    }
    return rgb;
  }

  static Image image(int width, int height) {
    return Image.ofRgb(rgb(width, height), width, height);
  }
}
