package io.feedline.formats.media.sound;

import io.feedline.transform.Transform;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A transform that computes the mel spectrogram of a waveform: torchaudio's MelSpectrogram, the
 * sums of a {@link Spectrogram}'s frequencies in triangular bands. The result has the shape
 * (channels, nMels, frames). Values differ from torchaudio's by at most 1e-5 of the largest value.
 *
 * <pre>{@code
 * MelSpectrogram.of() // torchaudio's defaults
 * MelSpectrogram.of(Spectrogram.of(1024).withHopLength(256), 80).withRange(20, 7600)
 * }</pre>
 *
 * <p>torchaudio has one rate for all sounds; here each waveform has its own rate. Immutable and
 * thread-safe.
 *
 * @param spectrogram the transform that computes the frequencies
 * @param nMels the number of bands, 1 to 65536
 * @param fMin the lowest frequency in Hz
 * @param fMax the highest frequency in Hz; empty: half of the sound's rate
 * @param norm the scaling of each band
 * @param melScale the formula from Hz to mel
 */
public record MelSpectrogram(
    Spectrogram spectrogram,
    int nMels,
    double fMin,
    Optional<Double> fMax,
    Norm norm,
    MelScale melScale)
    implements Transform<Waveform, AudioFeatures> {

  /** The formula from Hz to mel, by torchaudio's names. */
  public enum MelScale {
    /** {@code 2595 log10(1 + f / 700)}, the default. */
    HTK,
    /** Linear up to 1000 Hz and logarithmic above. */
    SLANEY
  }

  /** The scaling of each band; the names are those of torchaudio. */
  public enum Norm {
    /** No scaling, the default: each triangle has the height 1. */
    NONE,
    /** The inverse of the band's width: all triangles have the same area. */
    SLANEY
  }

  private record BankKey(
      int bins,
      int nMels,
      double fMin,
      Optional<Double> fMax,
      Norm norm,
      MelScale melScale,
      int sampleRate) {}

  private static final int MOST_BANKS = 64;
  private static final Map<BankKey, MelBank> BANKS = new ConcurrentHashMap<>();

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public MelSpectrogram {
    Objects.requireNonNull(spectrogram, "spectrogram");
    Objects.requireNonNull(norm, "norm");
    Objects.requireNonNull(melScale, "melScale");
    if (nMels < 1 || nMels > 1 << 16) {
      throw new IllegalArgumentException("nMels must be 1 to 65536, was " + nMels);
    }
    if (!(fMin >= 0 && fMin < fMax.orElse(Double.MAX_VALUE))) {
      throw new IllegalArgumentException(
          "fMin must be 0 or more and below fMax, was %s of %s".formatted(fMin, fMax));
    }
  }

  /** Returns the transform with torchaudio's defaults: frames of 400 samples, 128 bands. */
  public static MelSpectrogram of() {
    return of(Spectrogram.of(), 128);
  }

  /**
   * Returns the transform with bands from 0 Hz to half of the sound's rate.
   *
   * @param nMels the number of bands, 1 to 65536
   * @throws IllegalArgumentException if nMels is out of its range
   */
  public static MelSpectrogram of(Spectrogram spectrogram, int nMels) {
    return new MelSpectrogram(spectrogram, nMels, 0, Optional.empty(), Norm.NONE, MelScale.HTK);
  }

  /**
   * Returns this transform with bands between other frequencies.
   *
   * @param lowest the lowest frequency in Hz, 0 or more
   * @param highest the highest frequency in Hz
   * @throws IllegalArgumentException if the frequencies are not in order
   */
  public MelSpectrogram withRange(double lowest, double highest) {
    return new MelSpectrogram(spectrogram, nMels, lowest, Optional.of(highest), norm, melScale);
  }

  /** Returns this transform with another scaling of each band. */
  public MelSpectrogram withNorm(Norm other) {
    return new MelSpectrogram(spectrogram, nMels, fMin, fMax, other, melScale);
  }

  /** Returns this transform with another formula from Hz to mel. */
  public MelSpectrogram withMelScale(MelScale other) {
    return new MelSpectrogram(spectrogram, nMels, fMin, fMax, norm, other);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the waveform is shorter than a frame, or fMin is above half
   *     of the waveform's rate
   */
  @Override
  public AudioFeatures apply(Waveform waveform) {
    int frames = spectrogram.frames(waveform);
    MelBank bank = bank(waveform.sampleRate());
    return new AudioFeatures(
        out ->
            spectrogram.write(
                waveform,
                (channel, first, lanes, rows) ->
                    bank.write(rows, lanes, out, channel * nMels * frames + first, frames)),
        waveform.channels(),
        nMels,
        frames,
        waveform.sampleRate());
  }

  private MelBank bank(int sampleRate) {
    BankKey key = new BankKey(spectrogram.bins(), nMels, fMin, fMax, norm, melScale, sampleRate);
    MelBank bank = BANKS.get(key);
    if (bank == null) {
      bank = MelBank.of(this, sampleRate);
      if (BANKS.size() < MOST_BANKS) {
        BANKS.put(key, bank);
      }
    }
    return bank;
  }
}
