package io.feedline.formats.jpeg;

/** The pixel half of the decoder: from coefficients to packed pixels. */
final class PixelPlanes {

  void begin(McuGrid grid, boolean rgb, int x, int y, int width, int height, int rowsAtOnce) {
    throw new UnsupportedOperationException();
  }

  int mcuLeft() {
    throw new UnsupportedOperationException();
  }

  int mcuRight() {
    throw new UnsupportedOperationException();
  }

  int mcuTop() {
    throw new UnsupportedOperationException();
  }

  int mcuBottom() {
    throw new UnsupportedOperationException();
  }

  Coefficients coefficients() {
    throw new UnsupportedOperationException();
  }

  int mcusPerBatch() {
    throw new UnsupportedOperationException();
  }

  int mcusPerRowOfBatch() {
    throw new UnsupportedOperationException();
  }

  void transform() {
    throw new UnsupportedOperationException();
  }

  void store(int mcuRow, int mcuColumn, int count, int firstMcuOfBatch) {
    throw new UnsupportedOperationException();
  }

  void finish() {
    throw new UnsupportedOperationException();
  }

  void read(int y, int rows, int[] pixels, int offset, int stride) {
    throw new UnsupportedOperationException();
  }
}
