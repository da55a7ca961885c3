package io.feedline.formats.media.sound;

import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that sets some neighboring frames of a spectrogram to a value: torchaudio's
 * TimeMasking, of SpecAugment. All channels share the mask. Draws the mask's width and then its
 * place. Immutable and thread-safe.
 *
 * @param timeMaskParam the upper bound of the width, not included; 0 or more
 * @param maskValue the value of masked frames
 * @param p the largest part of all frames that a mask may cover, 0 to 1
 */
public record TimeMasking(int timeMaskParam, float maskValue, double p)
    implements RandomTransform<AudioFeatures, AudioFeatures> {
  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if timeMaskParam is negative, or p is not from 0 to 1
   */
  public TimeMasking {
    Mask.checkParam("timeMaskParam", timeMaskParam);
    if (!(p >= 0 && p <= 1)) {
      throw new IllegalArgumentException("p must be 0 to 1, was " + p);
    }
  }

  /** Returns the transform that sets frames to 0, and may cover any part of the frames. */
  public static TimeMasking of(int timeMaskParam) {
    return new TimeMasking(timeMaskParam, 0, 1);
  }

  @Override
  public AudioFeatures apply(AudioFeatures features, RandomGenerator random) {
    int frames = features.frames();
    int limit = p == 1 ? timeMaskParam : Math.min(timeMaskParam, (int) (frames * p));
    Mask mask = Mask.draw(limit, frames, random);
    return mask.isEmpty()
        ? features
        : features.with(
            out -> {
              features.values().write(out);
              for (int row = 0; row < features.channels() * features.bins(); row++) {
                Mask.fill(out, row * frames + mask.from(), mask.length(), maskValue);
              }
            });
  }
}
