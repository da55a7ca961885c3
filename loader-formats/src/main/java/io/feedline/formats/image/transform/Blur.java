package io.feedline.formats.image.transform;

import io.feedline.formats.image.PaddingMode;
import io.feedline.formats.image.PixelOperation;
import java.util.Arrays;

/**
 * {@code gaussian_blur}: a convolution with a Gaussian kernel in float32, the image continued
 * beyond its edges by reflection, and the result rounded half to even.
 *
 * <p>Columns and rows are filtered one after the other. torchvision multiplies the two kernels
 * first and sums up their products in an order of its own; so a sample that lies at a rounding
 * limit may come out one level higher or lower here.
 */
final class Blur implements PixelOperation {
  private final float[] across;
  private final float[] down;
  private final double sigma;

  /**
   * A blur.
   *
   * @param kernelWidth odd
   * @param kernelHeight odd
   * @param sigma the standard deviation in pixels, above 0
   */
  Blur(int kernelWidth, int kernelHeight, double sigma) {
    this.across = kernel(kernelWidth, (float) sigma);
    this.down = kernel(kernelHeight, (float) sigma);
    this.sigma = sigma;
  }

  private static float[] kernel(int size, float sigma) {
    float[] weights = new float[size];
    float sum = 0;
    for (int i = 0; i < size; i++) {
      float x = (i - size / 2) / sigma;
      weights[i] = (float) StrictMath.exp(-0.5f * (x * x));
      sum += weights[i];
    }
    for (int i = 0; i < size; i++) {
      weights[i] /= sum;
    }
    return weights;
  }

  @Override
  public boolean isPointwise() {
    return false;
  }

  @Override
  public void apply(byte[] rgb, int width, int height) {
    int reach = down.length / 2;
    int stride = 3 * width;
    float[] continued = new float[3 * (width + across.length - 1)];
    float[] sums = new float[stride];
    // Rows filtered across, of which as many are kept as one row of the result needs: by the time a
    // row of pixels is overwritten it is in here.
    float[][] ring = new float[Math.min(height, down.length)][stride];
    int filtered = 0;
    for (int y = 0; y < height; y++) {
      for (; filtered <= Math.min(y + reach, height - 1); filtered++) {
        filterAcross(rgb, filtered * stride, width, continued, ring[filtered % ring.length]);
      }
      Arrays.fill(sums, 0);
      for (int t = 0; t < down.length; t++) {
        int row = PaddingMode.REFLECT.position(y + t - reach, height);
        addWeighted(ring[row % ring.length], 0, down[t], sums);
      }
      for (int i = 0; i < stride; i++) {
        rgb[y * stride + i] = (byte) (int) Math.rint(sums[i]);
      }
    }
  }

  private void filterAcross(byte[] rgb, int from, int width, float[] continued, float[] result) {
    int reach = across.length / 2;
    for (int x = 0; x < width + 2 * reach; x++) {
      int pixel = from + 3 * PaddingMode.REFLECT.position(x - reach, width);
      continued[3 * x] = rgb[pixel] & 0xFF;
      continued[3 * x + 1] = rgb[pixel + 1] & 0xFF;
      continued[3 * x + 2] = rgb[pixel + 2] & 0xFF;
    }
    Arrays.fill(result, 0);
    for (int t = 0; t < across.length; t++) {
      addWeighted(continued, 3 * t, across[t], result);
    }
  }

  private static void addWeighted(float[] values, int from, float weight, float[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += values[from + i] * weight;
    }
  }

  @Override
  public String toString() {
    return "blur %d x %d, sigma %s".formatted(across.length, down.length, sigma);
  }
}
