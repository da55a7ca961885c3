package io.feedline.formats.image;

import java.util.Arrays;

/**
 * The float value of each 8-bit sample, by channel: {@code value / 255}, or that normalized by the
 * channel's mean and standard deviation. Immutable, shared by all images of a pipeline.
 *
 * <p>The three operations round to float32 each, one after the other, as torchvision's tensors do,
 * so the values are equal bit for bit.
 *
 * <p>The tables are indexed by a sum of the vertical pass shifted to an integer, which a filter
 * with negative lobes takes beyond 0..255; the look-up clips at the same time.
 */
final class PixelTable {
  /** Added to a value before the look-up: sums stay within -640..639, for weights add up to 1. */
  static final int OFFSET = 640;

  private static final int LENGTH = 2 * OFFSET;
  private static final int CHANNELS = 3;

  /** Values divided by 255: what ToTensor gives. */
  static final PixelTable UNIT = new PixelTable(null, null);

  private final float[] mean;
  private final float[] std;
  private final float[][] tables = new float[CHANNELS][LENGTH];
  private final boolean computable;

  private PixelTable(float[] mean, float[] std) {
    this.mean = mean;
    this.std = std;
    for (int c = 0; c < CHANNELS; c++) {
      for (int i = 0; i < LENGTH; i++) {
        float value = clip(i - OFFSET) / 255f;
        tables[c][i] = mean == null ? value : (value - mean[c]) / std[c];
      }
    }
    computable = isComputable();
  }

  private boolean isComputable() {
    for (int c = 0; c < CHANNELS; c++) {
      for (int sample = 0; sample < 256; sample++) {
        float value = quotient(sample, 255, 1 / 255f);
        float computed = quotient(value - mean(c), std(c), 1 / std(c));
        float expected = tables[c][sample + OFFSET];
        if (Float.floatToRawIntBits(computed) != Float.floatToRawIntBits(expected)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * A quotient by way of the divisor's reciprocal and one step of correction, which nearly always
   * rounds as a division does ("Elementary Functions", J.-M. Muller, chapter on division).
   */
  private static float quotient(float dividend, float divisor, float reciprocal) {
    float estimate = dividend * reciprocal;
    return Math.fma(Math.fma(-estimate, divisor, dividend), reciprocal, estimate);
  }

  /**
   * The table of a normalization.
   *
   * @throws IllegalArgumentException unless there are three finite means and three finite standard
   *     deviations other than 0
   */
  static PixelTable normalized(float[] mean, float[] std) {
    checkChannels("mean", mean);
    checkChannels("std", std);
    for (float value : std) {
      if (value == 0) {
        throw new IllegalArgumentException(
            "std must not be 0, it divides: was " + Arrays.toString(std));
      }
    }
    return new PixelTable(mean.clone(), std.clone());
  }

  private static void checkChannels(String name, float[] values) {
    if (values.length != CHANNELS) {
      throw new IllegalArgumentException(
          "%s must have one value for each of the 3 channels, was %s"
              .formatted(name, Arrays.toString(values)));
    }
    for (float value : values) {
      if (!Float.isFinite(value)) {
        throw new IllegalArgumentException(
            "%s must be finite, was %s".formatted(name, Arrays.toString(values)));
      }
    }
  }

  private static int clip(int value) {
    return Math.max(0, Math.min(255, value));
  }

  boolean isNormalized() {
    return mean != null;
  }

  /** The means, in a new array; only where this is a normalization. */
  float[] mean() {
    return mean.clone();
  }

  /** The standard deviations, in a new array; only where this is a normalization. */
  float[] std() {
    return std.clone();
  }

  /**
   * Whether every value equals, bit for bit, what multiplications give instead of divisions:
   *
   * <pre>
   *   a / b:  estimate = a * (1 / b);  fma(fma(-estimate, b, a), 1 / b, estimate)
   * </pre>
   *
   * <p>So that kernels may compute values, {@code (sample / 255 - mean) / std}, where that is
   * faster than to look them up. Tried for each of the 3 x 256 values when the table is made.
   */
  boolean computable() {
    return computable;
  }

  /** What is subtracted from a channel; 0 where this is no normalization. */
  float mean(int channel) {
    return mean == null ? 0 : mean[channel];
  }

  /** What a channel is divided by; 1 where this is no normalization. */
  float std(int channel) {
    return std == null ? 1 : std[channel];
  }

  /** The values of one channel, at {@code sample + OFFSET}. */
  float[] channel(int channel) {
    return tables[channel];
  }

  @Override
  public String toString() {
    return isNormalized()
        ? "mean=%s, std=%s".formatted(Arrays.toString(mean), Arrays.toString(std))
        : "[0, 1]";
  }
}
