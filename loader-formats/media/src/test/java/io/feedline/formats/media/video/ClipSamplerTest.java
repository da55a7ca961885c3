package io.feedline.formats.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.media.video.Clip.EachFrame;
import io.feedline.formats.media.video.ClipSampler.EndPolicy;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Expected numbers are those of torchcodec 0.7's samplers, by their definition. */
class ClipSamplerTest {

  private VideoFile video;

  @BeforeEach
  void open() throws IOException {
    video =
        VideoFile.of(VideoFixtures.bytes("bframes.mp4"), "bframes.mp4", VideoFile.Options.DEFAULT);
  }

  @AfterEach
  void close() throws IOException {
    video.close();
  }

  private int[] frames(ClipSampler sampler) {
    return sampler.apply(video, new Random(1)).frames();
  }

  @Test
  void shouldTakeRegularIndices() {
    // torch.linspace(0, 50 - 5, 4, dtype=torch.int)
    Clip clips =
        ClipSampler.atRegularIndices(3)
            .withNumClips(4)
            .withNumIndicesBetweenFrames(2)
            .apply(video, new Random(1));

    assertThat(clips.frames()).containsExactly(0, 2, 4, 15, 17, 19, 30, 32, 34, 45, 47, 49);
    assertThat(clips.shape().lengths()).containsExactly(4, 3, 3, 48, 64);
  }

  @Test
  void shouldTakeRandomIndicesOfWholeClips() {
    ClipSampler sampler = ClipSampler.atRandomIndices(10).withNumIndicesBetweenFrames(5);
    Random random = new Random(9);
    boolean[] starts = new boolean[50];
    for (int i = 0; i < 200; i++) {
      int[] frames = sampler.apply(video, random).frames();
      starts[frames[0]] = true;
      assertThat(frames).hasSize(10).isSorted();
      assertThat(frames[9] - frames[0]).isEqualTo(45);
    }
    assertThat(starts).containsSequence(true, true, true, true, true, false);
  }

  @Test
  void shouldEndAsThePolicySays() {
    ClipSampler sampler =
        ClipSampler.atRegularIndices(5)
            .withNumIndicesBetweenFrames(2)
            .withSamplingRangeStart(-4)
            .withSamplingRangeEnd(50);

    assertThat(frames(sampler.withPolicy(EndPolicy.REPEAT_LAST)))
        .containsExactly(46, 48, 48, 48, 48);
    assertThat(frames(sampler.withPolicy(EndPolicy.WRAP))).containsExactly(46, 48, 46, 48, 46);
    assertThatThrownBy(() -> frames(sampler.withPolicy(EndPolicy.ERROR)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "bframes.mp4: the clip that begins at frame 46 has 2 of 5 frames before the video ends");
  }

  @Test
  void shouldRefuseClipsThatAreLongerThanTheVideo() {
    ClipSampler sampler = ClipSampler.atRandomIndices(51);
    assertThatThrownBy(() -> frames(sampler))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bframes.mp4: no clip can begin")
        .hasMessageContaining("51 of 50 frames");
  }

  @Test
  void shouldTakeRegularTimestamps() {
    int[] frames = frames(ClipSampler.atRegularTimestamps(2, 0.5).withSecondsBetweenFrames(0.1));

    assertThat(frames).containsExactly(0, 2, 12, 15, 25, 27, 37, 40);
  }

  @Test
  void shouldTakeRandomTimestamps() {
    ClipSampler sampler = ClipSampler.atRandomTimestamps(4).withNumClips(3);
    Random random = new Random(2);
    for (int i = 0; i < 100; i++) {
      int[] frames = sampler.apply(video, random).frames();
      assertThat(frames).hasSize(12);
      assertThat(Arrays.stream(frames).max().getAsInt()).isLessThan(50);
      assertThat(frames[3] - frames[0]).isBetween(2, 4);
    }
  }

  @Test
  void shouldTakeSomeFramesOfAClip() {
    Clip clip = video.framesAt(10, 11, 12, 13, 14, 15, 16, 17);
    // torch.linspace(0, 7, 4).long()
    assertThat(UniformTemporalSubsample.of(4).apply(clip).frames()).containsExactly(10, 12, 14, 17);
    assertThat(UniformTemporalSubsample.of(12).apply(clip).frames())
        .containsExactly(10, 10, 11, 11, 12, 13, 13, 14, 15, 15, 16, 17);
  }

  @Test
  void shouldRefuseImpossibleOptions() {
    ClipSampler indices = ClipSampler.atRandomIndices(4);
    ClipSampler times = ClipSampler.atRegularTimestamps(4, 1);
    refused(() -> indices.withNumClips(0), "numClips must be 1 or more, was 0");
    refused(
        () -> ClipSampler.atRegularTimestamps(4, 0),
        "secondsBetweenClipStarts must be more than 0 and finite, was 0.0");
    refused(() -> times.withNumClips(3), "secondsBetweenClipStarts or numClips says");
    refused(() -> times.withNumIndicesBetweenFrames(2), "takes secondsBetweenFrames");
    refused(() -> indices.withSecondsBetweenFrames(2), "takes numIndicesBetweenFrames");
    refused(() -> indices.withSamplingRangeStart(0.5), "whole frames, was 0.5");
    refused(
        () -> frames(ClipSampler.atRegularTimestamps(1, 1e-9)),
        "2000000000 clips at distances of 1.0E-9 s are too many");
    // 3 * 2^30 + 1 frames, which no int counts.
    refused(() -> frames(indices.withNumIndicesBetweenFrames(1 << 30)), "3221225473 of 50 frames");
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void shouldBeWrittenAsJsonAndRead() throws Exception {
    RandomTransform<VideoFile, Clip> all =
        ClipSampler.atRandomTimestamps(8)
            .withNumClips(2)
            .withSecondsBetweenFrames(0.08)
            .withSamplingRangeStart(0.5)
            .withSamplingRangeEnd(1.9)
            .withPolicy(EndPolicy.WRAP)
            .andThen(UniformTemporalSubsample.of(4))
            .andThen(EachFrame.of(RandomResizedCrop.of(24).andThen(RandomHorizontalFlip.of(0.3))));
    RandomTransform<VideoFile, Clip> read = Transforms.fromJson(Transforms.toJson(all));

    assertThat(read).isEqualTo(all).hasToString(all.toString());
    assertThat(VideoFixtures.checksums(read.apply(video, new Random(3))))
        .isEqualTo(VideoFixtures.checksums(all.apply(video, new Random(3))));
  }
}
