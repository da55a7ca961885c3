package io.feedline.formats.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Expected numbers are those of torchcodec 0.7's samplers, by their definition. */
class ClipSamplerTest {

  private VideoFile video;

  @BeforeEach
  void open() throws IOException {
    video = VideoFile.of(VideoFixtures.bytes("bframes.mp4"), "bframes.mp4", VideoOptions.DEFAULT);
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
        ClipSampler.atRegularIndices()
            .numClips(4)
            .numFramesPerClip(3)
            .numIndicesBetweenFrames(2)
            .build()
            .apply(video, new Random(1));

    assertThat(clips.frames()).containsExactly(0, 2, 4, 15, 17, 19, 30, 32, 34, 45, 47, 49);
    assertThat(clips.shape().lengths()).containsExactly(4, 3, 3, 48, 64);
  }

  @Test
  void shouldTakeRandomIndicesOfWholeClips() {
    ClipSampler sampler =
        ClipSampler.atRandomIndices().numFramesPerClip(10).numIndicesBetweenFrames(5).build();
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
    ClipSampler.IndexBuilder options =
        ClipSampler.atRegularIndices()
            .numFramesPerClip(5)
            .numIndicesBetweenFrames(2)
            .samplingRangeStart(-4)
            .samplingRangeEnd(50);

    assertThat(frames(options.policy(EndPolicy.REPEAT_LAST).build()))
        .containsExactly(46, 48, 48, 48, 48);
    assertThat(frames(options.policy(EndPolicy.WRAP).build())).containsExactly(46, 48, 46, 48, 46);
    assertThatThrownBy(() -> frames(options.policy(EndPolicy.ERROR).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "bframes.mp4: the clip that begins at frame 46 has 2 of 5 frames before the video ends");
  }

  @Test
  void shouldRefuseClipsThatAreLongerThanTheVideo() {
    ClipSampler sampler = ClipSampler.atRandomIndices().numFramesPerClip(51).build();
    assertThatThrownBy(() -> frames(sampler))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bframes.mp4: no clip can begin")
        .hasMessageContaining("51 of 50 frames");
  }

  @Test
  void shouldTakeRegularTimestamps() {
    int[] frames =
        frames(
            ClipSampler.atRegularTimestamps(0.5)
                .numFramesPerClip(2)
                .secondsBetweenFrames(0.1)
                .build());

    assertThat(frames).containsExactly(0, 2, 12, 15, 25, 27, 37, 40);
  }

  @Test
  void shouldTakeRandomTimestamps() {
    ClipSampler sampler = ClipSampler.atRandomTimestamps().numClips(3).numFramesPerClip(4).build();
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
    assertThatThrownBy(() -> ClipSampler.atRandomIndices().numClips(0))
        .hasMessage("numClips must be 1 or more, was 0");
    assertThatThrownBy(() -> ClipSampler.atRegularTimestamps(0))
        .hasMessage("secondsBetweenClipStarts must be more than 0, was 0.0");
    assertThatThrownBy(() -> ClipSampler.atRegularTimestamps(1).numClips(3))
        .isInstanceOf(IllegalStateException.class);
  }
}
