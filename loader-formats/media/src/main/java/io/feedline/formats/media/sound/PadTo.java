package io.feedline.formats.media.sound;

import io.feedline.transform.Transform;

/**
 * A transform that appends zeros to a waveform that is shorter than {@code samples}; other
 * waveforms stay as they are. Immutable and thread-safe.
 *
 * @param samples the smallest number of samples of the result, 0 or more
 */
public record PadTo(long samples) implements Transform<Waveform, Waveform> {
  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public PadTo {
    check(samples);
  }

  static void check(long samples) {
    if (samples < 0) {
      throw new IllegalArgumentException("samples must be 0 or more, was " + samples);
    }
  }

  /** Returns the transform that pads to at least this number of samples. */
  public static PadTo of(long samples) {
    return new PadTo(samples);
  }

  @Override
  public Waveform apply(Waveform waveform) {
    return waveform.pad(0, Math.max(0, samples - waveform.samples()));
  }
}
