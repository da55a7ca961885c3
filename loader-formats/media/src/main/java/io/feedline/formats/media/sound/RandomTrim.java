package io.feedline.formats.media.sound;

import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that cuts a range of {@code samples} samples out of a waveform, at a random
 * place. A shorter waveform is padded with zeros at its end. Only the range is decoded.
 *
 * <p>Draws the first sample by {@code torch.randint(0, length - samples + 1)}; draws nothing if the
 * waveform is not longer than the range. Immutable and thread-safe.
 *
 * @param samples the number of samples of the result, 0 or more
 */
public record RandomTrim(long samples) implements RandomTransform<Waveform, Waveform> {
  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public RandomTrim {
    PadTo.check(samples);
  }

  /** Returns the transform that cuts out this number of samples. */
  public static RandomTrim of(long samples) {
    return new RandomTrim(samples);
  }

  @Override
  public Waveform apply(Waveform waveform, RandomGenerator random) {
    long spare = waveform.samples() - samples;
    return spare <= 0 ? waveform.pad(0, -spare) : waveform.crop(below(random, spare + 1), samples);
  }

  /** Draws like {@code torch.randint}: from 32 bits, or from 64 if the bound is 2^32 or more. */
  private static long below(RandomGenerator random, long bound) {
    return bound <= 0xFFFFFFFFL
        ? Integer.toUnsignedLong(random.nextInt()) % bound
        : Long.remainderUnsigned(random.nextLong(), bound);
  }
}
