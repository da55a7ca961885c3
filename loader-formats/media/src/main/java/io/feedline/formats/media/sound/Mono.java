package io.feedline.formats.media.sound;

import io.feedline.transform.Transform;

/**
 * A transform that mixes all channels to one, their mean: {@code waveform.mean(0, keepdim=True)} in
 * PyTorch. Immutable and thread-safe.
 */
public record Mono() implements Transform<Waveform, Waveform> {
  /** Returns the transform. */
  public static Mono of() {
    return new Mono();
  }

  @Override
  public Waveform apply(Waveform waveform) {
    return waveform.mono();
  }
}
