package io.feedline.formats.image.transform.internal;

import io.feedline.formats.image.Image.PixelOperation;

/**
 * {@code adjust_sharpness}: blends the image with itself smoothed by Pillow's SMOOTH filter, a
 * kernel of 3 x 3 that weighs the pixel itself five times. Pixels at the edge stay as they are.
 *
 * @param factor 0 is smooth, 1 the image, more is sharper
 */
public record Sharpness(float factor) implements PixelOperation {

  @Override
  public void apply(byte[] rgb, int width, int height) {
    int stride = 3 * width;
    // Rows are overwritten while they are still needed, by themselves and by the row below.
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
   * Returns a thirteenth, rounded. Pillow adds thirteenths up in float32, whose errors are far
   * smaller than the distance of any of these quotients from the next rounding limit, so integers
   * give the same.
   */
  private static int smooth(int sum) {
    return (2 * sum + 13) / 26;
  }

  @Override
  public String toString() {
    return "sharpness " + factor;
  }
}
