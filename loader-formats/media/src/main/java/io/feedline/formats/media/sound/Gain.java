package io.feedline.formats.media.sound;

import io.feedline.transform.Transform;

/**
 * A transform that multiplies the samples of a waveform and limits them to [-1, 1]: torchaudio's
 * Vol. Immutable and thread-safe.
 *
 * @param factor the factor of the amplitude, 0 or more and finite
 */
public record Gain(float factor) implements Transform<Waveform, Waveform> {
  /**
   * Checks the factor.
   *
   * @throws IllegalArgumentException if the factor is negative or not finite
   */
  public Gain {
    if (!(factor >= 0 && factor <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException("factor must be 0 or more and finite, was " + factor);
    }
  }

  /** Returns the multiplication of the amplitude by a factor. */
  public static Gain of(double factor) {
    return new Gain((float) factor);
  }

  /** Returns the transform for a gain in decibels: a factor of {@code 10^(decibels / 20)}. */
  public static Gain ofDecibels(double decibels) {
    return of(Math.pow(10, decibels / 20));
  }

  @Override
  public Waveform apply(Waveform waveform) {
    return waveform.with(new SampleSources.Scaled(waveform.source(), factor));
  }
}
