package io.feedline.formats.image.transform.internal;

import io.feedline.formats.image.pixel.PaddingMode;
import java.util.Arrays;

/**
 * A convolution with a Gaussian kernel in float32, with the image reflected beyond its edges.
 * Columns and rows are filtered one after the other. Immutable.
 */
public final class GaussianFilter {

  /** Rows to filter and overwrite, with interleaved channels. */
  public interface Rows {
    /** Copies a row to {@code samples}, from index {@code at} on. */
    void read(int y, float[] samples, int at);

    /** Overwrites a row with the first elements of the array. The row is not read again. */
    void write(int y, float[] samples);
  }

  private final float[] across;
  private final float[] down;

  /** Makes a filter; the kernel's sides are odd, the standard deviations above 0, all in pixels. */
  public GaussianFilter(int width, int height, double sigmaX, double sigmaY) {
    this.across = kernel(width, (float) sigmaX);
    this.down = kernel(height, (float) sigmaY);
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

  int width() {
    return across.length;
  }

  int height() {
    return down.length;
  }

  /** Filters an image in place. */
  public void apply(Rows rows, int width, int height, int channels) {
    int reach = down.length / 2;
    int stride = channels * width;
    float[] continued = new float[channels * (width + across.length - 1)];
    float[] sums = new float[stride];
    // The ring keeps the horizontally filtered rows that one row of the result needs. So a row is
    // overwritten only after its values are in the ring.
    float[][] ring = new float[Math.min(height, down.length)][stride];
    int filtered = 0;
    for (int y = 0; y < height; y++) {
      for (; filtered <= Math.min(y + reach, height - 1); filtered++) {
        rows.read(filtered, continued, channels * (across.length / 2));
        filterAcross(continued, width, channels, ring[filtered % ring.length]);
      }
      Arrays.fill(sums, 0);
      for (int t = 0; t < down.length; t++) {
        int row = PaddingMode.REFLECT.position(y + t - reach, height);
        addWeighted(ring[row % ring.length], 0, down[t], sums);
      }
      rows.write(y, sums);
    }
  }

  private void filterAcross(float[] continued, int width, int channels, float[] result) {
    int reach = across.length / 2;
    for (int x = 0; x < reach; x++) {
      int left = reach + PaddingMode.REFLECT.position(x - reach, width);
      int right = reach + PaddingMode.REFLECT.position(width + x, width);
      for (int c = 0; c < channels; c++) {
        continued[channels * x + c] = continued[channels * left + c];
        continued[channels * (reach + width + x) + c] = continued[channels * right + c];
      }
    }
    Arrays.fill(result, 0);
    for (int t = 0; t < across.length; t++) {
      addWeighted(continued, channels * t, across[t], result);
    }
  }

  private static void addWeighted(float[] values, int from, float weight, float[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += values[from + i] * weight;
    }
  }
}
