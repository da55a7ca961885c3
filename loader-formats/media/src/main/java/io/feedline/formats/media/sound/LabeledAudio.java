package io.feedline.formats.media.sound;

import io.feedline.batch.TensorSource;
import java.util.Objects;

/**
 * A sound, or features of it, and its class: a sample of an {@link AudioDataset}. A batch has the
 * tensors {@code audio} and {@code label}, the latter INT64 of shape (n). Immutable and
 * thread-safe.
 *
 * @param audio the sound, not yet decoded
 * @param label the index of its class; -1 if it has no class
 * @param <T> a {@link Waveform}, {@link AudioFeatures}, or the result of a transform
 */
public record LabeledAudio<T extends TensorSource>(T audio, int label) {
  public LabeledAudio {
    Objects.requireNonNull(audio, "audio");
  }

  /** Returns this label with another sound. */
  public <R extends TensorSource> LabeledAudio<R> withAudio(R other) {
    return new LabeledAudio<>(other, label);
  }
}
