package io.feedline.formats.media.video;

import java.util.Objects;

/**
 * A clip and its class: a sample of a {@link VideoDataset} with a sampler. A batch has the tensors
 * {@code clip} and {@code label}, the latter INT64 of shape (n). Immutable.
 *
 * @param clip the clip, not yet decoded
 * @param label the index of its class; -1 if it has no class
 */
public record LabeledClip(Clip clip, int label) {

  public LabeledClip {
    Objects.requireNonNull(clip, "clip");
  }
}
