package io.feedline.formats.jpeg.internal;

/** A decoder that keeps the rectangle it decoded last. Not thread-safe. */
public abstract class RegionDecoder {

  protected final PixelPlanes planes;
  private int width;
  private int height;
  private boolean decoded;

  protected RegionDecoder(PixelPlanes planes) {
    this.planes = planes;
  }

  protected final void forget() {
    decoded = false;
  }

  protected final void finish(int width, int height) {
    planes.finish();
    this.width = width;
    this.height = height;
    decoded = true;
  }

  /**
   * Sets whether {@link #read} returns luma, 0 to 255, for images that are decoded from now on, as
   * libjpeg's output in {@code JCS_GRAYSCALE}. Not allowed for images that are stored as RGB.
   */
  public final void onlyLuma(boolean onlyLuma) {
    planes.onlyLuma(onlyLuma);
  }

  /**
   * Reads rows of the rectangle that was decoded last.
   *
   * @param y the first row, counted from the rectangle's top
   * @param pixels the array that receives pixels, with red in bits 0 to 7, green in 8 to 15, and
   *     blue in 16 to 23; or luma
   * @throws IllegalStateException if no rectangle has been decoded, or the last decoding failed
   * @throws IndexOutOfBoundsException if the rectangle has no such rows, or the rows do not fit
   *     into {@code pixels}
   */
  public final void read(int y, int rows, int[] pixels, int offset, int stride) {
    requireDecoded();
    if (y < 0 || rows < 0 || y > height - rows) {
      throw new IndexOutOfBoundsException(
          "rows %d to %d of %d".formatted(y, (long) y + rows, height));
    }
    long end = offset + (rows - 1L) * stride + width;
    if (rows > 0 && (offset < 0 || stride < width || end > pixels.length)) {
      throw new IndexOutOfBoundsException(
          "%d rows of %d pixels from offset %d with stride %d do not fit into %d pixels"
              .formatted(rows, width, offset, stride, pixels.length));
    }
    planes.read(y, rows, pixels, offset, stride);
  }

  /** Reads rows like {@link #read}, but pixel x of row {@code y + i} into {@code columns[x][i]}. */
  public final void readColumns(int y, int rows, int[][] columns) {
    requireDecoded();
    planes.readColumns(y, rows, columns);
  }

  private void requireDecoded() {
    if (!decoded) {
      throw new IllegalStateException("no image has been decoded");
    }
  }
}
