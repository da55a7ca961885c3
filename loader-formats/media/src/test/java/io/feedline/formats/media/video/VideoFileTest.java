package io.feedline.formats.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.media.video.VideoFixtures.Frame;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VideoFileTest {

  @TempDir private Path directory;

  private VideoFile open(String name) throws IOException {
    return VideoFile.open(VideoFixtures.copy(name, directory));
  }

  private static List<Frame> expected(String name) {
    return VideoFixtures.frames().get(name);
  }

  /** The frames without their turn, as PyAV gives them. */
  private static Clip stored(VideoFile video, int... frames) {
    return video.framesAt(frames).rotate90(-video.rotation() / 90);
  }

  @ParameterizedTest
  @MethodSource("io.feedline.formats.media.video.VideoFixtures#names")
  void shouldHaveTheFramesAndTimesOfPyAv(String name) throws Exception {
    List<Frame> expected = expected(name);
    try (VideoFile video = open(name)) {
      assertThat(video.frames()).isEqualTo(expected.size());
      Clip all = stored(video, IntStream.range(0, video.frames()).toArray());
      assertThat(VideoFixtures.checksums(all))
          .isEqualTo(expected.stream().map(Frame::crc).toList());
      // AVI has no times of showing: PyAV gives those of the packets that complete the frames.
      double shift = name.equals("xvid.avi") ? expected.get(0).seconds() : 0;
      for (int i = 0; i < expected.size(); i++) {
        assertThat(video.time(i)).isCloseTo(expected.get(i).seconds() - shift, within(1e-6));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.feedline.formats.media.video.VideoFixtures#names")
  void shouldSeekToEachFrameExactly(String name) throws Exception {
    List<Frame> expected = expected(name);
    try (VideoFile video = open(name)) {
      int[] order = new Random(7).ints(3L * expected.size(), 0, expected.size()).toArray();
      for (int frame : order) {
        assertThat(VideoFixtures.checksums(stored(video, frame)))
            .as("frame %d", frame)
            .containsExactly(expected.get(frame).crc());
      }
      int last = expected.size() - 1;
      int[] frames = {last, 0, last / 2, 0, last, last - 1};
      assertThat(VideoFixtures.checksums(stored(video, frames)))
          .isEqualTo(IntStream.of(frames).mapToObj(i -> expected.get(i).crc()).toList());
    }
    // Each with a decoder of its own, which begins at the frame.
    for (int frame = 0; frame < expected.size(); frame += 3) {
      try (VideoFile video = open(name)) {
        assertThat(VideoFixtures.checksums(stored(video, frame)))
            .as("frame %d", frame)
            .containsExactly(expected.get(frame).crc());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.feedline.formats.media.video.VideoFixtures#names")
  void shouldFindTheFrameThatIsShownAtATime(String name) throws Exception {
    try (VideoFile video = open(name)) {
      for (int i = 0; i < video.frames(); i++) {
        double next = i + 1 < video.frames() ? video.time(i + 1) : video.end();
        assertThat(video.frameAt(video.time(i))).isEqualTo(i);
        assertThat(video.frameAt((video.time(i) + next) / 2)).isEqualTo(i);
      }
      assertThatThrownBy(() -> video.framesAtTimes(video.end()))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining(name)
          .hasMessageContaining("the video lasts from");
      assertThatThrownBy(() -> video.framesAtTimes(video.start() - 0.001))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void shouldDescribeAVideoWithoutDecoding() throws Exception {
    try (VideoFile video = open("bframes.mp4")) {
      assertThat(video.width()).isEqualTo(64);
      assertThat(video.height()).isEqualTo(48);
      assertThat(video.rotation()).isZero();
      assertThat(video.codec()).isEqualTo("h264");
      assertThat(video.duration()).isCloseTo(2, within(1e-9));
      assertThat(video.frameRate()).isCloseTo(25, within(1e-9));
    }
    try (VideoFile video = open("late.ts")) {
      assertThat(video.start()).isCloseTo(1.48, within(1e-9));
      assertThat(video.end()).isCloseTo(3.48, within(1e-9));
    }
  }

  @Test
  void shouldTurnFramesForDisplay() throws Exception {
    try (VideoFile turned = open("turned.mp4");
        VideoFile straight = open("bframes.mp4")) {
      assertThat(turned.rotation()).isEqualTo(270);
      assertThat(turned.width()).isEqualTo(48);
      assertThat(turned.framesAt(3).shape().lengths()).containsExactly(1, 3, 64, 48);
      assertThat(VideoFixtures.checksums(turned.framesAt(3)))
          .isEqualTo(VideoFixtures.checksums(straight.framesAt(3).rotate90(3)));
    }
  }
}
