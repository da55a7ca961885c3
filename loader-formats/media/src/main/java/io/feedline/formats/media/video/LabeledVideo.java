package io.feedline.formats.media.video;

import io.feedline.transform.RandomTransform;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A video and its class: a sample of a {@link VideoDataset}. Immutable and thread-safe.
 *
 * @param video the video, which belongs to the dataset
 * @param label the index of its class; -1 if it has no class
 */
public record LabeledVideo(VideoFile video, int label) {

  public LabeledVideo {
    Objects.requireNonNull(video, "video");
  }

  /**
   * Returns the transform that selects a clip of each video and keeps its label, for {@link
   * io.feedline.data.Dataset#map}.
   *
   * @param sampler a {@link ClipSampler}, and the transforms after it
   */
  public static RandomTransform<LabeledVideo, LabeledClip> clips(
      RandomTransform<? super VideoFile, Clip> sampler) {
    return new Clips(Objects.requireNonNull(sampler, "sampler"));
  }

  private record Clips(RandomTransform<? super VideoFile, Clip> sampler)
      implements RandomTransform<LabeledVideo, LabeledClip> {

    @Override
    public LabeledClip apply(LabeledVideo sample, RandomGenerator random) throws Exception {
      return new LabeledClip(sampler.apply(sample.video(), random), sample.label());
    }

    @Override
    public String toString() {
      return sampler.toString();
    }
  }
}
