package io.feedline.formats.media.sound;

import java.util.Arrays;

/**
 * The discrete Fourier transform of one length, of many signals at once: decimation in frequency,
 * in place, by the radices 4, 2, 5 and any other prime.
 *
 * <p>Row i of the arrays holds element i of all signals, a signal in each lane (index of a row). So
 * each step of a butterfly is a loop over lanes at one index, which the compiler turns into vector
 * instructions. Rows are not reordered at the end: {@link #place} returns the row of a frequency. A
 * prime factor p costs p operations for each element, so lengths with small factors are fast, and a
 * length that is a prime takes as long as the plain sum. Immutable and thread-safe.
 */
final class Fft {
  private static final float COS_72 = (float) Math.cos(Math.PI * 2 / 5);
  private static final float SIN_72 = (float) Math.sin(Math.PI * 2 / 5);
  private static final float COS_144 = (float) Math.cos(Math.PI * 4 / 5);
  private static final float SIN_144 = (float) Math.sin(Math.PI * 4 / 5);

  private final int length;
  private final int[] radices;
  private final float[] cos;
  private final float[] sin;

  Fft(int length) {
    this.length = length;
    this.radices = radices(length);
    this.cos = new float[length];
    this.sin = new float[length];
    for (int i = 0; i < length; i++) {
      cos[i] = (float) Math.cos(2 * Math.PI * i / length);
      sin[i] = (float) -Math.sin(2 * Math.PI * i / length);
    }
  }

  private static int[] radices(int length) {
    int[] found = new int[32];
    int count = 0;
    int rest = length;
    while (rest % 4 == 0) {
      found[count++] = 4;
      rest /= 4;
    }
    for (int p = 2; rest > 1; p++) {
      int radix = (long) p * p > rest ? rest : p;
      while (rest > 1 && rest % radix == 0) {
        found[count++] = radix;
        rest /= radix;
      }
    }
    return Arrays.copyOf(found, count);
  }

  /** Returns the row in which {@link #transform} leaves a frequency. */
  int place(int frequency) {
    int place = 0;
    int size = length;
    int rest = frequency;
    for (int radix : radices) {
      size /= radix;
      place += rest % radix * size;
      rest /= radix;
    }
    return place;
  }

  /**
   * Transforms the signals in place.
   *
   * @param re the real parts, at least {@code length} rows of {@code lanes} elements
   * @param lanes the number of signals
   */
  void transform(float[][] re, float[][] im, int lanes) {
    int size = length;
    for (int radix : radices) {
      int step = size / radix;
      for (int base = 0; base < length; base += size) {
        for (int k = 0; k < step; k++) {
          int turn = k * (length / size);
          switch (radix) {
            case 2 -> two(re, im, base + k, step, lanes);
            case 4 -> four(re, im, base + k, step, lanes);
            case 5 -> five(re, im, base + k, step, lanes);
            default -> any(re, im, base + k, step, radix, lanes);
          }
          if (k > 0) {
            for (int i = 1; i < radix; i++) {
              int row = base + k + i * step;
              turn(re[row], im[row], cos[i * turn], sin[i * turn], lanes);
            }
          }
        }
      }
      size = step;
    }
  }

  /** Multiplies a row by the root of unity {@code c + i s}. */
  private static void turn(float[] re, float[] im, float c, float s, int lanes) {
    for (int t = 0; t < lanes; t++) {
      float x = re[t];
      float y = im[t];
      re[t] = x * c - y * s;
      im[t] = x * s + y * c;
    }
  }

  private static void two(float[][] re, float[][] im, int row, int step, int lanes) {
    two(re[row], im[row], re[row + step], im[row + step], lanes);
  }

  private static void two(float[] ar, float[] ai, float[] br, float[] bi, int lanes) {
    for (int t = 0; t < lanes; t++) {
      float r = br[t];
      float i = bi[t];
      br[t] = ar[t] - r;
      bi[t] = ai[t] - i;
      ar[t] += r;
      ai[t] += i;
    }
  }

  private static void four(float[][] re, float[][] im, int row, int step, int lanes) {
    float[] ar = re[row];
    float[] ai = im[row];
    float[] br = re[row + step];
    float[] bi = im[row + step];
    float[] cr = re[row + 2 * step];
    float[] ci = im[row + 2 * step];
    float[] dr = re[row + 3 * step];
    float[] di = im[row + 3 * step];
    for (int t = 0; t < lanes; t++) {
      float sumR = ar[t] + cr[t];
      float sumI = ai[t] + ci[t];
      float differenceR = ar[t] - cr[t];
      float differenceI = ai[t] - ci[t];
      float oddR = br[t] + dr[t];
      float oddI = bi[t] + di[t];
      float turnedR = bi[t] - di[t];
      float turnedI = dr[t] - br[t];
      ar[t] = sumR + oddR;
      ai[t] = sumI + oddI;
      br[t] = differenceR + turnedR;
      bi[t] = differenceI + turnedI;
      cr[t] = sumR - oddR;
      ci[t] = sumI - oddI;
      dr[t] = differenceR - turnedR;
      di[t] = differenceI - turnedI;
    }
  }

  private static void five(float[][] re, float[][] im, int row, int step, int lanes) {
    float[] ar = re[row];
    float[] ai = im[row];
    float[] br = re[row + step];
    float[] bi = im[row + step];
    float[] cr = re[row + 2 * step];
    float[] ci = im[row + 2 * step];
    float[] dr = re[row + 3 * step];
    float[] di = im[row + 3 * step];
    float[] er = re[row + 4 * step];
    float[] ei = im[row + 4 * step];
    for (int t = 0; t < lanes; t++) {
      float outerR = br[t] + er[t];
      float outerI = bi[t] + ei[t];
      float innerR = cr[t] + dr[t];
      float innerI = ci[t] + di[t];
      float apartR = br[t] - er[t];
      float apartI = bi[t] - ei[t];
      float nearR = cr[t] - dr[t];
      float nearI = ci[t] - di[t];
      float r1 = ar[t] + outerR * COS_72 + innerR * COS_144;
      float i1 = ai[t] + outerI * COS_72 + innerI * COS_144;
      float r2 = ar[t] + outerR * COS_144 + innerR * COS_72;
      float i2 = ai[t] + outerI * COS_144 + innerI * COS_72;
      float turned1R = apartI * SIN_72 + nearI * SIN_144;
      float turned1I = apartR * SIN_72 + nearR * SIN_144;
      float turned2R = apartI * SIN_144 - nearI * SIN_72;
      float turned2I = apartR * SIN_144 - nearR * SIN_72;
      ar[t] += outerR + innerR;
      ai[t] += outerI + innerI;
      br[t] = r1 + turned1R;
      bi[t] = i1 - turned1I;
      cr[t] = r2 + turned2R;
      ci[t] = i2 - turned2I;
      dr[t] = r2 - turned2R;
      di[t] = i2 + turned2I;
      er[t] = r1 - turned1R;
      ei[t] = i1 + turned1I;
    }
  }

  /** Computes the butterfly of any other prime radix, as the plain sum. */
  private void any(float[][] re, float[][] im, int row, int step, int radix, int lanes) {
    float[][] sumsR = new float[radix][lanes];
    float[][] sumsI = new float[radix][lanes];
    for (int i = 0; i < radix; i++) {
      for (int j = 0; j < radix; j++) {
        int turn = (int) ((long) i * j % radix) * (length / radix);
        int from = row + j * step;
        add(re[from], im[from], cos[turn], sin[turn], sumsR[i], sumsI[i], lanes);
      }
    }
    for (int i = 0; i < radix; i++) {
      System.arraycopy(sumsR[i], 0, re[row + i * step], 0, lanes);
      System.arraycopy(sumsI[i], 0, im[row + i * step], 0, lanes);
    }
  }

  private static void add(
      float[] re, float[] im, float c, float s, float[] sumR, float[] sumI, int lanes) {
    for (int t = 0; t < lanes; t++) {
      sumR[t] += re[t] * c - im[t] * s;
      sumI[t] += re[t] * s + im[t] * c;
    }
  }
}
