package io.feedline.formats.media.sound;

import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * The bands of a mel scale for one rate and number of frequencies: {@code melscale_fbanks} of
 * torchaudio. The weights are computed in torchaudio's float32 arithmetic. For each band, only the
 * frequencies with a weight are stored. Immutable and thread-safe.
 */
final class MelBank {
  private static final float HZ_PER_MEL = 200f / 3;
  private static final float BREAK_HZ = 1000;
  private static final float BREAK_MEL = 15;
  private static final double LOG_STEP = Math.log(6.4) / 27;

  private final int[] first;
  private final float[][] weights;

  private MelBank(int[] first, float[][] weights) {
    this.first = first;
    this.weights = weights;
  }

  static MelBank of(MelSpectrogram options, int sampleRate) {
    int bins = options.spectrogram().bins();
    int highest = sampleRate / 2;
    double fMax = options.fMax().orElse((double) highest);
    if (options.fMin() > fMax) {
      throw new IllegalArgumentException(
          "fMin must be at most half of the sound's rate, %s Hz, was %s"
              .formatted(fMax, options.fMin()));
    }
    boolean isHtk = options.melScale() == MelSpectrogram.MelScale.HTK;
    float[] frequencies = linspace(0, highest, bins);
    float[] points =
        linspace(
            (float) toMel(options.fMin(), isHtk), (float) toMel(fMax, isHtk), options.nMels() + 2);
    for (int i = 0; i < points.length; i++) {
      points[i] = toHz(points[i], isHtk);
    }
    int[] first = new int[options.nMels()];
    float[][] weights = new float[options.nMels()][];
    for (int mel = 0; mel < options.nMels(); mel++) {
      float[] band = new float[bins];
      int from = bins;
      int end = bins;
      for (int bin = 0; bin < bins; bin++) {
        float up = (frequencies[bin] - points[mel]) / (points[mel + 1] - points[mel]);
        float down = (points[mel + 2] - frequencies[bin]) / (points[mel + 2] - points[mel + 1]);
        band[bin] = Math.max(0, Math.min(up, down));
        if (options.norm() == MelSpectrogram.Norm.SLANEY) {
          band[bin] *= 2 / (points[mel + 2] - points[mel]);
        }
        if (band[bin] > 0) {
          from = Math.min(from, bin);
          end = bin + 1;
        }
      }
      first[mel] = from;
      weights[mel] = Arrays.copyOfRange(band, from, end);
    }
    return new MelBank(first, weights);
  }

  /** Returns the values of {@code torch.linspace}, which computes each half from the nearer end. */
  private static float[] linspace(float from, float to, int count) {
    float[] values = new float[count];
    float step = (to - from) / (count - 1);
    for (int i = 0; i < count; i++) {
      values[i] = i < count / 2 ? from + step * i : to - step * (count - i - 1);
    }
    return values;
  }

  private static double toMel(double hz, boolean isHtk) {
    if (isHtk) {
      return 2595 * Math.log10(1 + hz / 700);
    }
    return hz >= BREAK_HZ ? BREAK_MEL + Math.log(hz / BREAK_HZ) / LOG_STEP : hz / (200.0 / 3);
  }

  private static float toHz(float mel, boolean isHtk) {
    if (isHtk) {
      return 700 * ((float) Math.pow(10, mel / 2595) - 1);
    }
    return mel >= BREAK_MEL
        ? BREAK_HZ * (float) Math.exp((float) LOG_STEP * (mel - BREAK_MEL))
        : HZ_PER_MEL * mel;
  }

  /**
   * @param rows a row for each frequency, with a lane for each frame
   * @param out receives band b from index {@code at + b * stride} on
   */
  void write(float[][] rows, int lanes, FloatBuffer out, int at, int stride) {
    float[] sums = Scratch.take(Scratch.LANES);
    for (int mel = 0; mel < first.length; mel++) {
      Arrays.fill(sums, 0, Scratch.LANES, 0);
      for (int i = 0; i < weights[mel].length; i++) {
        Scratch.add(rows[first[mel] + i], weights[mel][i], sums);
      }
      out.put(at + mel * stride, sums, 0, lanes);
    }
    Scratch.give(sums);
  }
}
