package io.feedline.formats.image.transform.internal;

import io.feedline.formats.image.Image.PixelOperation;

/**
 * The operation {@code adjust_sharpness}, which blends the image with the image smoothed by
 * Pillow's SMOOTH filter: a kernel of 3 x 3 with a weight of 5 in the center and 1 elsewhere.
 * Pixels at the edge do not change.
 *
 * @param factor 0 smooths, 1 changes nothing, a larger factor sharpens
 */
public record Sharpness(float factor) implements PixelOperation {

  @Override
  public void apply(byte[] rgb, int width, int height) {
    int stride = 3 * width;
    // A row is overwritten while its old values are still needed, for the row itself and the row
    // below, so copies of two rows are kept.
    byte[] above = new byte[stride];
    byte[] here = new byte[stride];
    System.arraycopy(rgb, 0, here, 0, stride);
    for (int y = 1; y < height - 1; y++) {
      byte[] swapped = above;
      above = here;
      here = swapped;
      int row = y * stride;
      System.arraycopy(rgb, row, here, 0, stride);
      for (int i = 3; i < stride - 3; i++) {
        int below = row + stride + i;
        int sum =
            (above[i - 3] & 0xFF)
                + (above[i] & 0xFF)
                + (above[i + 3] & 0xFF)
                + (here[i - 3] & 0xFF)
                + 5 * (here[i] & 0xFF)
                + (here[i + 3] & 0xFF)
                + (rgb[below - 3] & 0xFF)
                + (rgb[below] & 0xFF)
                + (rgb[below + 3] & 0xFF);
        rgb[row + i] = (byte) Blend.of(smooth(sum), here[i] & 0xFF, factor);
      }
    }
  }

  /**
   * Returns a thirteenth of the sum, rounded. Pillow adds up thirteenths in float32, with errors
   * far too small to change the rounding.
   */
  private static int smooth(int sum) {
    return (2 * sum + 13) / 26;
  }

  @Override
  public String toString() {
    return "sharpness " + factor;
  }
}
