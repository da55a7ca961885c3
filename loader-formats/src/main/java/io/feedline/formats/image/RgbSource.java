package io.feedline.formats.image;

/** Pixels that are in memory already: rows packed, interleaved. */
final class RgbSource implements ImageSource {
  private final byte[] rgb;
  private final int width;
  private final int height;

  RgbSource(byte[] rgb, int width, int height) {
    this.rgb = rgb;
    this.width = width;
    this.height = height;
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public int height() {
    return height;
  }

  @Override
  public void decode(Region region, Frame frame) {
    frame.resize(region.width(), region.height());
    int rowBytes = 3 * region.width();
    for (int y = 0; y < region.height(); y++) {
      int from = 3 * ((region.y() + y) * width + region.x());
      System.arraycopy(rgb, from, frame.rgb(), y * rowBytes, rowBytes);
    }
  }
}
