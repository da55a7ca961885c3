package io.feedline.formats.media.video;

import io.feedline.transform.Transform;

/**
 * A transform that keeps some frames of a clip at equal distances, the first and the last among
 * them: PyTorchVideo's {@code UniformTemporalSubsample}, {@code torch.linspace(0, frames - 1,
 * n).long()}. A shorter clip repeats frames. Only kept frames are decoded. Immutable, thread-safe.
 *
 * @param frames the number of frames of the result, 1 or more
 */
public record UniformTemporalSubsample(int frames) implements Transform<Clip, Clip> {

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if the number is below 1
   */
  public UniformTemporalSubsample {
    if (frames < 1) {
      throw new IllegalArgumentException("frames must be 1 or more, was " + frames);
    }
  }

  /** Returns the transform that keeps this number of frames. */
  public static UniformTemporalSubsample of(int frames) {
    return new UniformTemporalSubsample(frames);
  }

  @Override
  public Clip apply(Clip clip) {
    int length = clip.frames().length / clip.clips();
    return clip.select(ClipSampler.linspace(0, length - 1, frames));
  }
}
