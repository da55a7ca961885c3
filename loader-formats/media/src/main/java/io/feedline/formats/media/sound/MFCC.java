package io.feedline.formats.media.sound;

import io.feedline.transform.Transform;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * A transform that computes the mel-frequency cepstrum coefficients of a waveform: torchaudio's
 * MFCC, the discrete cosine transform of a {@link MelSpectrogram} in decibels. The result has the
 * shape (channels, nMfcc, frames). Immutable and thread-safe.
 *
 * <pre>{@code
 * MFCC.of(13)
 * MFCC.of(13, MelSpectrogram.of(Spectrogram.of(512), 40)).withLogMels(true)
 * }</pre>
 *
 * @param nMfcc the number of coefficients, 1 to the number of mel bands
 * @param melSpectrogram the transform that computes the mel bands
 * @param norm the factors of the cosine transform
 * @param logMels true: the natural logarithm of the mel spectrogram plus 1e-6; false: decibels, at
 *     most 80 below the largest value
 */
public record MFCC(int nMfcc, MelSpectrogram melSpectrogram, Norm norm, boolean logMels)
    implements Transform<Waveform, AudioFeatures> {
  private static final double TOP_DB = 80;
  private static final float LOG_OFFSET = 1e-6f;

  /** The factors of the cosine transform, by torchaudio's names. */
  public enum Norm {
    /** An orthonormal transform, the default. */
    ORTHO,
    /** Twice the sum of cosines. */
    NONE
  }

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if nMfcc is out of its range
   */
  public MFCC {
    Objects.requireNonNull(norm, "norm");
    int bands = melSpectrogram.nMels();
    if (nMfcc < 1 || nMfcc > bands) {
      throw new IllegalArgumentException(
          "nMfcc must be 1 to the number of mel bands, %d, was %d".formatted(bands, nMfcc));
    }
  }

  /**
   * Returns the transform that begins with torchaudio's default mel spectrogram.
   *
   * @param nMfcc the number of coefficients, 1 to 128; torchaudio's default is 40
   * @throws IllegalArgumentException if nMfcc is out of its range
   */
  public static MFCC of(int nMfcc) {
    return of(nMfcc, MelSpectrogram.of());
  }

  /**
   * Returns the transform that begins with a mel spectrogram.
   *
   * @param nMfcc the number of coefficients, 1 to the number of mel bands
   * @throws IllegalArgumentException if nMfcc is out of its range
   */
  public static MFCC of(int nMfcc, MelSpectrogram melSpectrogram) {
    return new MFCC(nMfcc, melSpectrogram, Norm.ORTHO, false);
  }

  /** Returns this transform with other factors of the cosine transform. */
  public MFCC withNorm(Norm other) {
    return new MFCC(nMfcc, melSpectrogram, other, logMels);
  }

  /** Returns this transform with natural logarithms (true) or decibels (false). */
  public MFCC withLogMels(boolean areLogMels) {
    return new MFCC(nMfcc, melSpectrogram, norm, areLogMels);
  }

  @Override
  public AudioFeatures apply(Waveform waveform) {
    AudioFeatures mels = melSpectrogram.apply(waveform);
    AudioFeatures logs =
        logMels
            ? mels.with(
                out -> {
                  mels.values().write(out);
                  Scratch.change(out, 0, mels.elements(), MFCC::log);
                })
            : AmplitudeToDB.of().withTopDb(TOP_DB).apply(mels);
    return new AudioFeatures(
        out -> write(logs, out), logs.channels(), nMfcc, logs.frames(), waveform.sampleRate());
  }

  private static void log(float[] values, int count) {
    for (int i = 0; i < count; i++) {
      values[i] = (float) FastLog.of(values[i] + LOG_OFFSET);
    }
  }

  private void write(AudioFeatures logs, FloatBuffer out) throws Exception {
    int bands = logs.bins();
    int frames = logs.frames();
    float[] cosines = cosines(bands);
    float[] all = Scratch.take(logs.elements());
    logs.values().write(FloatBuffer.wrap(all));
    float[][] rows = Scratch.rows(bands);
    float[] sums = Scratch.take(Scratch.LANES);
    for (int channel = 0; channel < logs.channels(); channel++) {
      for (int first = 0; first < frames; first += Scratch.LANES) {
        int lanes = Math.min(Scratch.LANES, frames - first);
        for (int n = 0; n < bands; n++) {
          System.arraycopy(all, (channel * bands + n) * frames + first, rows[n], 0, lanes);
        }
        for (int k = 0; k < nMfcc; k++) {
          float factor = factor(k, bands);
          Arrays.fill(sums, 0, Scratch.LANES, 0);
          for (int n = 0; n < bands; n++) {
            // cos(pi / (2 * bands) * step): the cosine repeats after 4 * bands steps.
            int step = (int) ((2L * n + 1) * k % (4L * bands));
            Scratch.add(rows[n], cosines[step] * factor, sums);
          }
          out.put((channel * nMfcc + k) * frames + first, sums, 0, lanes);
        }
      }
    }
    Scratch.give(sums);
    Scratch.give(all);
  }

  private static float[] cosines(int bands) {
    float[] cosines = new float[4 * bands];
    for (int i = 0; i < cosines.length; i++) {
      cosines[i] = (float) Math.cos(Math.PI / (2 * bands) * i);
    }
    return cosines;
  }

  private float factor(int coefficient, int bands) {
    return norm == Norm.NONE
        ? 2
        : (float) (Math.sqrt(2.0 / bands) * (coefficient == 0 ? Math.sqrt(0.5) : 1));
  }
}
