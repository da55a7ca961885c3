package io.feedline.formats.media.sound;

import io.feedline.transform.Transform;

/**
 * A transform that keeps at most the first {@code samples} samples. Immutable and thread-safe.
 *
 * @param samples the largest number of samples of the result, 0 or more
 */
public record Trim(long samples) implements Transform<Waveform, Waveform> {
  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public Trim {
    PadTo.check(samples);
  }

  /** Returns the transform that keeps at most this number of samples. */
  public static Trim of(long samples) {
    return new Trim(samples);
  }

  @Override
  public Waveform apply(Waveform waveform) {
    return waveform.crop(0, Math.min(samples, waveform.samples()));
  }
}
