package io.feedline.formats.image.kernel.internal;

import io.feedline.batch.DType;
import io.feedline.formats.internal.TensorChecks;
import io.feedline.internal.HalfFloat;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A table of the float value of each 8-bit sample, by channel: {@code value / 255}, optionally
 * normalized by the channel's mean and standard deviation. Immutable, shared by all images of a
 * pipeline. For samples of 16 bits there are no tables, and the object only describes the
 * computation.
 *
 * <p>The division by 255, the subtraction of the mean and the division by the standard deviation
 * each round to float32, as in torchvision, so the values are equal bit for bit. {@code v2.ToDtype}
 * multiplies by {@code 1 / 255} where {@code ToTensor} divides, which differs in the last bit of
 * half of the values; a {@linkplain #scaledTo1 scaled} table multiplies, too.
 *
 * <p>The index of a table is a sum of the vertical pass, shifted to an integer. A filter with
 * negative lobes makes sums beyond 0..255; the look-up clips them.
 */
public final class PixelTable {
  /** The index of the value 0: values are within -640..639, since weights add up to 1. */
  static final int OFFSET = 640;

  private static final int LENGTH = 2 * OFFSET;

  private static final int CHANNELS = 4;

  /** Values of 8 bits divided by 255, as ToTensor computes them. */
  public static final PixelTable UNIT = new PixelTable(null, null, 255, false);

  /** Values of 16 bits, which ToTensor does not change. */
  public static final PixelTable WHOLE = new PixelTable(null, null, 1, false);

  /** Values of 8 bits times 1 / 255, as ConvertDtype computes them. */
  private static final PixelTable SCALED = new PixelTable(null, null, 255, true);

  /** Values of 16 bits times 1 / 65535, as ConvertDtype computes them. */
  private static final PixelTable SCALED_OF_16_BITS = new PixelTable(null, null, 65535, true);

  /**
   * The number of tables to keep: a pipeline has one, and making a table costs as much as an image.
   */
  private static final int KEPT = 16;

  /** The tables made last. The array is replaced, never changed. */
  private static volatile PixelTable[] made = {};

  private final float[] mean;
  private final float[] std;
  private final float divisor;
  private final boolean scaled;
  private final float[][] tables;
  private final float[] reciprocals;
  private final float[] rests;
  private final boolean computable;

  /** The tables rounded to FLOAT16; null until the first use. */
  private volatile short[] @Nullable [] halves;

  private volatile short[] @Nullable [] bfloats;

  private PixelTable(float[] mean, float[] std, float divisor, boolean scaled) {
    this.mean = mean;
    this.std = std;
    this.divisor = divisor;
    this.scaled = scaled;
    this.tables = new float[divisor != 255 ? 0 : mean == null ? CHANNELS : mean.length][LENGTH];
    for (int c = 0; c < tables.length; c++) {
      for (int i = 0; i < LENGTH; i++) {
        float value = fraction(clip(i - OFFSET));
        tables[c][i] = mean == null ? value : (value - mean[c]) / std[c];
      }
    }
    reciprocals = new float[tables.length];
    rests = new float[tables.length];
    for (int c = 0; c < tables.length; c++) {
      reciprocals[c] = 1 / std(c);
      rests[c] = restOfReciprocal(std(c));
    }
    computable = isComputable();
  }

  private boolean isComputable() {
    for (int c = 0; c < tables.length; c++) {
      for (int sample = 0; sample < 256; sample++) {
        float value = scaled ? fraction(sample) : quotient(sample, 1 / 255f, restOfReciprocal(255));
        float computed = quotient(value - mean(c), reciprocal(c), rest(c));
        float expected = tables[c][sample + OFFSET];
        if (Float.floatToRawIntBits(computed) != Float.floatToRawIntBits(expected)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns a value divided by {@link #divisor}, before it is normalized. */
  float fraction(int value) {
    return scaled ? value * (1 / divisor) : value / divisor;
  }

  /**
   * Returns a quotient, computed with the divisor's reciprocal in two parts. The result is nearly
   * always rounded like that of a division ("Handbook of Floating-Point Arithmetic", J.-M. Muller
   * and others, multiplication by a constant of arbitrary precision).
   */
  private static float quotient(float dividend, float reciprocal, float rest) {
    return Math.fma(dividend, reciprocal, dividend * rest);
  }

  /** Returns the part of a reciprocal that is too small for the float {@code 1 / divisor}. */
  static float restOfReciprocal(float divisor) {
    return Math.fma(-1 / divisor, divisor, 1) / divisor;
  }

  /** Returns the table with this table's scale and a normalization of each channel. */
  public PixelTable with(float[] mean, float[] std) {
    TensorChecks.check(mean, std);
    PixelTable[] known = made;
    for (PixelTable table : known) {
      if (table.divisor == divisor
          && table.scaled == scaled
          && Arrays.equals(table.mean, mean)
          && Arrays.equals(table.std, std)) {
        return table;
      }
    }
    PixelTable table = new PixelTable(mean.clone(), std.clone(), divisor, scaled);
    PixelTable[] more = Arrays.copyOf(known, Math.min(known.length + 1, KEPT));
    System.arraycopy(known, 0, more, 1, more.length - 1);
    more[0] = table;
    made = more;
    return table;
  }

  public PixelTable scaledTo1() {
    PixelTable whole = divisor == UNIT.divisor ? SCALED : SCALED_OF_16_BITS;
    return isNormalized() ? whole.with(mean, std) : whole;
  }

  public boolean isScaled() {
    return scaled;
  }

  private static int clip(int value) {
    return Math.max(0, Math.min(255, value));
  }

  public boolean isNormalized() {
    return mean != null;
  }

  /** Returns whether no integer dtype holds the values: normalized, or 16 bits scaled to 0..1. */
  public boolean givesFractions() {
    return isNormalized() || divisor == SCALED_OF_16_BITS.divisor;
  }

  /**
   * Returns whether multiplications instead of divisions give every value bit for bit:
   *
   * <pre>
   *   a / b:  fma(a, 1 / b, a * rest of 1 / b)
   * </pre>
   *
   * <p>If so, kernels may compute values, {@code (sample / 255 - mean) / std}, where that is faster
   * than a table. Checked for each channel's 256 values when the table is made.
   */
  public boolean computable() {
    return computable;
  }

  float mean(int channel) {
    return mean == null ? 0 : mean[channel];
  }

  float std(int channel) {
    return std == null ? 1 : std[channel];
  }

  float reciprocal(int channel) {
    return reciprocals[channel];
  }

  /** Returns the part of the exact reciprocal that {@link #reciprocal} lacks, as a float. */
  float rest(int channel) {
    return rests[channel];
  }

  /** Returns the values of one channel, at {@code sample + OFFSET}. */
  float[] channel(int channel) {
    return tables[channel];
  }

  boolean ofBytes() {
    return tables.length > 0;
  }

  /** Returns the 256 values of each channel, rounded to FLOAT16 or BFLOAT16. */
  short[][] rounded(DType dtype) {
    boolean half = dtype == DType.FLOAT16;
    short[][] rounded = half ? halves : bfloats;
    if (rounded == null) {
      rounded = new short[tables.length][256];
      for (int c = 0; c < tables.length; c++) {
        for (int sample = 0; sample < 256; sample++) {
          float value = tables[c][sample + OFFSET];
          rounded[c][sample] = half ? HalfFloat.ofFloat(value) : HalfFloat.toBfloat(value);
        }
      }
      if (half) {
        halves = rounded;
      } else {
        bfloats = rounded;
      }
    }
    return rounded;
  }

  @Override
  public String toString() {
    return isNormalized()
        ? "mean=%s, std=%s".formatted(Arrays.toString(mean), Arrays.toString(std))
        : divisor == 1 ? "whole values" : scaled ? "[0, 1] scaled" : "[0, 1]";
  }
}
