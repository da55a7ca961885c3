package io.feedline.formats.media.sound;

import java.util.Arrays;

/**
 * The Fourier transform of the frames of a signal: {@code torch.stft} with {@code onesided=True}.
 *
 * <p>It transforms {@link Scratch#LANES} frames at once, one in each lane of an {@link Fft}. For an
 * even length, the even samples are the real parts and the odd samples the imaginary parts of a
 * signal of half the length. The frame's transform is computed from the transform of this signal.
 * So no frame's values depend on another frame, and silence next to a sound stays silent. Immutable
 * and thread-safe.
 */
final class Stft {
  private final int length;
  private final int hop;
  private final float[] window;
  private final Fft fft;
  private final int rows;
  private final int[] places;
  private final float[] cos;
  private final float[] sin;

  /** Takes a factor for each sample of a frame, and the number of samples from frame to frame. */
  Stft(float[] window, int hop) {
    this.length = window.length;
    this.hop = hop;
    this.window = window;
    this.rows = length % 2 == 0 ? length / 2 : length;
    this.fft = new Fft(rows);
    this.places = new int[bins()];
    this.cos = new float[bins()];
    this.sin = new float[bins()];
    for (int bin = 0; bin < bins(); bin++) {
      places[bin] = bin < rows ? fft.place(bin) : rows;
      cos[bin] = (float) Math.cos(2 * Math.PI * bin / length);
      sin[bin] = (float) Math.sin(2 * Math.PI * bin / length);
    }
  }

  int bins() {
    return length / 2 + 1;
  }

  /** Returns the number of frames in a signal, which has at least a frame's length. */
  int frames(long samples) {
    return Math.toIntExact((samples - length) / hop + 1);
  }

  @FunctionalInterface
  interface Receiver {
    /** Receives rows, and may change them: one for each frequency, with a lane for each frame. */
    void accept(int firstFrame, int frames, float[][] re, float[][] im);
  }

  /** Transforms all frames of the samples that begin at {@code from}. */
  void transform(float[] samples, int from, int frames, Receiver receiver) {
    float[][] scratch = Scratch.rows(2 * (rows + 1));
    float[][] allRe = Arrays.copyOf(scratch, rows + 1);
    float[][] allIm = Arrays.copyOfRange(scratch, rows + 1, 2 * (rows + 1));
    float[][] re = new float[bins()][];
    float[][] im = new float[bins()][];
    for (int bin = 0; bin < bins(); bin++) {
      re[bin] = allRe[places[bin]];
      im[bin] = allIm[places[bin]];
    }
    for (int first = 0; first < frames; first += Scratch.LANES) {
      int lanes = Math.min(Scratch.LANES, frames - first);
      int at = from + first * hop;
      if (rows == length) {
        for (int i = 0; i < length; i++) {
          load(samples, at + i, hop, window[i], allRe[i], lanes);
          Arrays.fill(allIm[i], 0, lanes, 0);
        }
        fft.transform(allRe, allIm, lanes);
      } else {
        for (int i = 0; i < rows; i++) {
          load(samples, at + 2 * i, hop, window[2 * i], allRe[i], lanes);
          load(samples, at + 2 * i + 1, hop, window[2 * i + 1], allIm[i], lanes);
        }
        fft.transform(allRe, allIm, lanes);
        ends(re[0], im[0], re[rows], im[rows], lanes);
        for (int bin = 1; bin <= rows / 2; bin++) {
          int other = rows - bin;
          pair(re[bin], im[bin], re[other], im[other], cos[bin], sin[bin], lanes);
        }
      }
      receiver.accept(first, lanes, re, im);
    }
  }

  private static void load(
      float[] samples, int from, int hop, float factor, float[] row, int lanes) {
    for (int t = 0, at = from; t < lanes; t++, at += hop) {
      row[t] = samples[at] * factor;
    }
  }

  /** Computes the transform at the lowest and the highest frequency, whose values are real. */
  private static void ends(float[] ar, float[] ai, float[] br, float[] bi, int lanes) {
    for (int t = 0; t < lanes; t++) {
      float even = ar[t];
      float odd = ai[t];
      ar[t] = even + odd;
      ai[t] = 0;
      br[t] = even - odd;
      bi[t] = 0;
    }
  }

  /** Computes two frequencies whose sum is the highest frequency; they may be equal. */
  private static void pair(
      float[] ar, float[] ai, float[] br, float[] bi, float cos, float sin, int lanes) {
    for (int t = 0; t < lanes; t++) {
      float evenR = (ar[t] + br[t]) * 0.5f;
      float evenI = (ai[t] - bi[t]) * 0.5f;
      float oddR = (ai[t] + bi[t]) * 0.5f;
      float oddI = (br[t] - ar[t]) * 0.5f;
      float turnedR = cos * oddR + sin * oddI;
      float turnedI = cos * oddI - sin * oddR;
      ar[t] = evenR + turnedR;
      ai[t] = evenI + turnedI;
      br[t] = evenR - turnedR;
      bi[t] = turnedI - evenI;
    }
  }
}
