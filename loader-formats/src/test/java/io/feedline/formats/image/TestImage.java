package io.feedline.formats.image;

/** The images of the tests, made by arithmetic here and in picture.py alike. */
final class TestImage {
  private TestImage() {}

  /** The samples of an image: smooth slopes, hard edges where they wrap, a checkerboard. */
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

  /** Slopes of three different colors under noise; all colors come in a large one. */
  static Image noise(int width, int height) {
    byte[] rgb = new byte[3 * width * height];
    int at = 0;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < 3; c++) {
          int hash = (at + 1) * (int) 2654435761L;
          hash = (hash ^ (hash >>> 15)) * (int) 2246822519L;
          int slope = (x * (c + 1) + y * (3 - c)) * 2 & 255;
          rgb[at++] = (byte) ((3 * (hash >>> 24) + slope) / 4);
        }
      }
    }
    return Image.ofRgb(rgb, width, height);
  }

  static Image image(int width, int height) {
    return Image.ofRgb(rgb(width, height), width, height);
  }
}
