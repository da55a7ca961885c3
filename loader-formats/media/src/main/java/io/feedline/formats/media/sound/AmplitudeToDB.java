package io.feedline.formats.media.sound;

import io.feedline.transform.Transform;
import java.util.Objects;
import java.util.Optional;

/**
 * A transform that converts the values of a spectrogram to decibels: torchaudio's AmplitudeToDB.
 * Values below 1e-10 count as 1e-10. Immutable and thread-safe.
 *
 * @param scale the scale of the input
 * @param topDb the largest distance, in decibels, of a value below the largest value of all
 *     channels; lower values are raised to this limit. Empty: no limit
 */
public record AmplitudeToDB(Scale scale, Optional<Double> topDb)
    implements Transform<AudioFeatures, AudioFeatures> {
  private static final float LEAST = 1e-10f;

  /** The meaning of the input's values, by torchaudio's names. */
  public enum Scale {
    /** Squares of magnitudes. */
    POWER(10),
    /** Magnitudes. */
    MAGNITUDE(20);

    private final float factor;

    Scale(float factor) {
      this.factor = factor;
    }
  }

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if topDb is negative
   */
  public AmplitudeToDB {
    Objects.requireNonNull(scale, "scale");
    if (!(topDb.orElse(0.0) >= 0)) {
      throw new IllegalArgumentException("topDb must be 0 or more, was " + topDb.get());
    }
  }

  /** Returns the transform of power spectrograms, without a limit: torchaudio's defaults. */
  public static AmplitudeToDB of() {
    return of(Scale.POWER);
  }

  /** Returns the transform without a limit. */
  public static AmplitudeToDB of(Scale scale) {
    return new AmplitudeToDB(scale, Optional.empty());
  }

  /**
   * Returns this transform with the limit {@link #topDb}.
   *
   * @param decibels 0 or more; 80 is usual
   * @throws IllegalArgumentException if the number is negative
   */
  public AmplitudeToDB withTopDb(double decibels) {
    return new AmplitudeToDB(scale, Optional.of(decibels));
  }

  @Override
  public AudioFeatures apply(AudioFeatures features) {
    return features.with(
        out -> {
          features.values().write(out);
          float[] largest = {LEAST};
          if (topDb.isPresent()) {
            Scratch.visit(out, features.elements(), (values, n) -> raise(largest, values, n));
          }
          float floor =
              topDb.isPresent()
                  ? decibels(largest[0]) - topDb.get().floatValue()
                  : Float.NEGATIVE_INFINITY;
          Scratch.change(out, 0, features.elements(), (values, n) -> toDecibels(values, n, floor));
        });
  }

  private static void raise(float[] largest, float[] values, int count) {
    float most = largest[0];
    for (int i = 0; i < count; i++) {
      most = Math.max(most, values[i]);
    }
    largest[0] = most;
  }

  private void toDecibels(float[] values, int count, float floor) {
    for (int i = 0; i < count; i++) {
      values[i] = Math.max(decibels(Math.max(LEAST, values[i])), floor);
    }
  }

  private float decibels(float value) {
    return scale.factor * (float) (FastLog.of(value) * (1 / Math.log(10)));
  }
}
