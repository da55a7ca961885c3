package io.feedline.formats.media.sound;

import io.feedline.transform.Transform;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A transform that changes the rate of a waveform by windowed sinc interpolation: torchaudio's
 * Resample with its parameters and defaults. The filter equals that of torchaudio 0.13. Samples
 * differ from torchaudio's by at most 1e-5 of the largest sample.
 *
 * <pre>{@code
 * Resample.to(16_000)
 * Resample.to(16_000).withKaiser(64, 0.9475937167399596, 14.769656459379492)
 * }</pre>
 *
 * <p>Each waveform has its own input rate, so a dataset can have sounds of several rates. n samples
 * become {@code ceil(n * newRate / rate)}. A waveform that already has the new rate is returned as
 * it is. Immutable and thread-safe.
 *
 * @param newRate the sample rate of the result in Hz, 1 or more
 * @param method the window that ends the sinc function
 * @param lowpassFilterWidth the number of the sinc's zero crossings on each side, 1 to 4096
 * @param rolloff the cutoff as a fraction of the lower Nyquist frequency, above 0 to 1
 * @param beta the shape of a Kaiser window, 0 to 100; without effect on a Hann window
 */
public record Resample(
    int newRate, Method method, int lowpassFilterWidth, double rolloff, double beta)
    implements Transform<Waveform, Waveform> {

  /** The window that ends the sinc function, by torchaudio's names. */
  public enum Method {
    /** A Hann window, {@code sinc_interpolation} in torchaudio before 2.0. */
    SINC_INTERP_HANN,
    /** A Kaiser window, {@code kaiser_window} in torchaudio before 2.0. */
    SINC_INTERP_KAISER
  }

  private record FilterKey(Resample transform, int rate) {}

  private static final int MOST_FILTERS = 64;
  private static final Map<FilterKey, SincFilter> FILTERS = new ConcurrentHashMap<>();

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public Resample {
    Objects.requireNonNull(method, "method");
    require(newRate >= 1, "newRate must be 1 or more, was " + newRate);
    require(
        lowpassFilterWidth >= 1 && lowpassFilterWidth <= 4096,
        "lowpassFilterWidth must be 1 to 4096, was " + lowpassFilterWidth);
    require(rolloff > 0 && rolloff <= 1, "rolloff must be above 0 and at most 1, was " + rolloff);
    require(beta >= 0 && beta <= 100, "beta must be 0 to 100, was " + beta);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /**
   * Returns the transform with torchaudio's defaults: a Hann window, a filter of 6 zero crossings
   * on each side, a rolloff of 0.99.
   *
   * @param newRate the sample rate of the result in Hz, 1 or more
   * @throws IllegalArgumentException if the rate is below 1
   */
  public static Resample to(int newRate) {
    return new Resample(newRate, Method.SINC_INTERP_HANN, 6, 0.99, 14.769656459379492);
  }

  /**
   * Returns this transform with a Kaiser window and its options.
   *
   * @throws IllegalArgumentException if an option is out of its range
   */
  public Resample withKaiser(int lowpassFilterWidth, double rolloff, double beta) {
    return new Resample(newRate, Method.SINC_INTERP_KAISER, lowpassFilterWidth, rolloff, beta);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the two rates need a filter of more than 64 MiB
   */
  @Override
  public Waveform apply(Waveform waveform) {
    if (waveform.sampleRate() == newRate) {
      return waveform;
    }
    FilterKey key = new FilterKey(this, waveform.sampleRate());
    SincFilter filter = FILTERS.get(key);
    if (filter == null) {
      boolean isKaiser = method == Method.SINC_INTERP_KAISER;
      filter =
          new SincFilter(
              key.rate, newRate, lowpassFilterWidth, rolloff, isKaiser ? beta : Double.NaN);
      if (FILTERS.size() < MOST_FILTERS) {
        FILTERS.put(key, filter);
      }
    }
    return new Waveform(new ResampledSource(waveform.source(), filter), newRate);
  }
}
