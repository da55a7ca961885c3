package io.feedline.formats.media.sound;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The weights of a windowed sinc interpolation between two rates, as torchaudio 0.13 computes them
 * in {@code _get_sinc_resample_kernel}.
 *
 * <p>Both rates are divided by their greatest common divisor. Output j then has the phase {@code j
 * mod newRate}; {@code newRate} outputs are a period, and one or more periods a block. All outputs
 * of a phase have equal weights, for inputs that are shifted by {@code rate}. torchaudio stores
 * {@code rate + 2 * width} weights for each phase, nearly all of them zero; this class stores only
 * the weights within the window.
 *
 * <p>For common rates the number of phases is small; then the outputs of one phase are computed
 * together, each in a lane (an element) of a row. Otherwise outputs are computed one by one.
 */
final class SincFilter {
  private static final long MOST_WEIGHTS = 16 << 20;

  /** The size, in outputs, up to which periods are joined to a block; a longer one is a block. */
  private static final int LEAST_PHASES = 32;

  private static final int MOST_PHASES = 1024;
  private static final int MOST_ROWS = 4096;

  private final int rate;
  private final int newRate;
  private final int taps;
  private final int[] first;
  private final float[] weights;
  private final boolean byRows;

  /** Takes the number of zeros on each side; a Hann window if {@code beta} is NaN. */
  SincFilter(int rate, int newRate, int crossings, double rolloff, double beta) {
    int divisor = BigInteger.valueOf(rate).gcd(BigInteger.valueOf(newRate)).intValue();
    int reducedRate = rate / divisor;
    int reducedNewRate = newRate / divisor;
    double base = Math.min(reducedRate, reducedNewRate) * rolloff;
    double reach = crossings * reducedRate / base;
    // One weight more on each side for rounded phases; a multiple of 4, as a step adds 4 products.
    long needed = ((long) (2 * reach) + 3 + 3) / 4 * 4;
    if (needed * reducedNewRate > MOST_WEIGHTS) {
      throw new IllegalArgumentException(
          "resampling from %d Hz to %d Hz needs %d weights for each of %d phases, more than %d in all; resample to a rate that shares more factors with the sound's"
              .formatted(rate, newRate, needed, reducedNewRate, MOST_WEIGHTS));
    }
    // Several periods form a block, so that copying inputs into the rows of a block pays off.
    int periods = Math.max(1, Math.min(LEAST_PHASES / reducedNewRate, MOST_ROWS / 4 / reducedRate));
    this.rate = reducedRate * periods;
    this.newRate = reducedNewRate * periods;
    this.taps = (int) needed;
    this.byRows = this.newRate <= MOST_PHASES && this.rate + taps <= MOST_ROWS;
    this.first = new int[this.newRate];
    this.weights = new float[this.newRate * taps];
    double ofWindow = Double.isNaN(beta) ? 0 : besselI0((float) beta);
    for (int phase = 0; phase < this.newRate; phase++) {
      int inPeriod = phase % reducedNewRate;
      // torchaudio divides these integers in float32, and computes all else in float64.
      double shift = (float) -inPeriod / reducedNewRate;
      int firstInPeriod =
          (int) Math.floor((double) inPeriod * reducedRate / reducedNewRate - reach);
      first[phase] = firstInPeriod + phase / reducedNewRate * reducedRate;
      for (int tap = 0; tap < taps; tap++) {
        double t = (shift + (double) (firstInPeriod + tap) / reducedRate) * base;
        weights[phase * taps + tap] =
            Math.abs(t) >= crossings
                ? 0
                : (float) (sinc(t) * window(t, crossings, beta, ofWindow) * base / reducedRate);
      }
    }
  }

  private static double sinc(double t) {
    return t == 0 ? 1 : Math.sin(t * Math.PI) / (t * Math.PI);
  }

  private static double window(double t, int crossings, double beta, double ofWindow) {
    if (Double.isNaN(beta)) {
      double cos = Math.cos(t * Math.PI / crossings / 2);
      return cos * cos;
    }
    double part = t / crossings;
    return besselI0((float) beta * Math.sqrt(1 - part * part)) / ofWindow;
  }

  /** Returns the modified Bessel function of the first kind and order 0, by its power series. */
  static double besselI0(double x) {
    double term = 1;
    double sum = 1;
    for (int k = 1; term > sum * 1e-17; k++) {
      term *= x / (2 * k) * (x / (2 * k));
      sum += term;
    }
    return sum;
  }

  long outputs(long inputs) {
    return Math.addExact(Math.multiplyExact(inputs, newRate), rate - 1) / rate;
  }

  /** Returns the index of the first input that an output needs; may be negative. */
  long firstInput(long output) {
    return output / newRate * rate + first[(int) (output % newRate)];
  }

  int taps() {
    return taps;
  }

  /** Returns the number of outputs that {@link #apply} computes together; 1 without blocks. */
  int align() {
    return byRows ? newRate : 1;
  }

  /**
   * @param output the first output, a multiple of {@link #align}
   * @param count the number of outputs, a multiple of {@link #align}
   * @param inputs the inputs of the source, from {@code firstInput(output)} on
   */
  void apply(long output, int count, float[] inputs, float[] out) {
    if (byRows) {
      for (int block = 0; block < count / newRate; block += Scratch.LANES) {
        byRows(block, Math.min(Scratch.LANES, count / newRate - block), inputs, out);
      }
    } else {
      long firstInput = firstInput(output);
      for (int i = 0; i < count; i++) {
        int at = (int) (firstInput(output + i) - firstInput);
        out[i] = dot(inputs, at, (int) ((output + i) % newRate) * taps);
      }
    }
  }

  /** Computes the outputs of {@code lanes} blocks at once, each block in a lane. */
  private void byRows(int block, int lanes, float[] inputs, float[] out) {
    int count = first[newRate - 1] - first[0] + taps;
    float[][] rows = Scratch.rows(count);
    for (int i = 0; i < count; i++) {
      float[] row = rows[i];
      for (int t = 0, at = block * rate + i; t < lanes; t++, at += rate) {
        row[t] = inputs[at];
      }
    }
    float[] sums = Scratch.take(Scratch.LANES);
    for (int phase = 0; phase < newRate; phase++) {
      Arrays.fill(sums, 0, Scratch.LANES, 0);
      for (int tap = 0; tap < taps; tap += 4) {
        Scratch.addFour(rows, first[phase] - first[0] + tap, weights, phase * taps + tap, sums);
      }
      for (int t = 0, at = block * newRate + phase; t < lanes; t++, at += newRate) {
        out[at] = sums[t];
      }
    }
    Scratch.give(sums);
  }

  /** Returns the sum of weighted inputs, from four sums that the processor computes at once. */
  private float dot(float[] inputs, int at, int weight) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    for (int i = 0; i < taps; i += 4) {
      a += inputs[at + i] * weights[weight + i];
      b += inputs[at + i + 1] * weights[weight + i + 1];
      c += inputs[at + i + 2] * weights[weight + i + 2];
      d += inputs[at + i + 3] * weights[weight + i + 3];
    }
    return a + b + (c + d);
  }
}
