package io.feedline.formats.media.sound;

import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that sets some neighboring frequencies of a spectrogram to a value:
 * torchaudio's FrequencyMasking, of SpecAugment. All channels share the mask. Draws the mask's
 * width and then its place. Immutable and thread-safe.
 *
 * @param freqMaskParam the upper bound of the width, not included; 0 or more
 * @param maskValue the value of masked frequencies
 */
public record FrequencyMasking(int freqMaskParam, float maskValue)
    implements RandomTransform<AudioFeatures, AudioFeatures> {
  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if freqMaskParam is negative
   */
  public FrequencyMasking {
    Mask.checkParam("freqMaskParam", freqMaskParam);
  }

  /** Returns the transform that sets frequencies to 0. */
  public static FrequencyMasking of(int freqMaskParam) {
    return new FrequencyMasking(freqMaskParam, 0);
  }

  @Override
  public AudioFeatures apply(AudioFeatures features, RandomGenerator random) {
    Mask mask = Mask.draw(freqMaskParam, features.bins(), random);
    int frames = features.frames();
    return mask.isEmpty()
        ? features
        : features.with(
            out -> {
              features.values().write(out);
              for (int channel = 0; channel < features.channels(); channel++) {
                int from = (channel * features.bins() + mask.from()) * frames;
                Mask.fill(out, from, mask.length() * frames, maskValue);
              }
            });
  }
}
