package io.feedline.formats.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.media.DamagePolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BrokenVideosTest {

  private static final VideoFile.Options STRICT =
      VideoFile.Options.DEFAULT.withDamage(DamagePolicy.FAIL);

  private static VideoFile of(byte[] bytes, VideoFile.Options options) throws IOException {
    return VideoFile.of(bytes, "broken", options);
  }

  @ParameterizedTest
  @MethodSource("io.feedline.formats.media.video.VideoFixtures#names")
  void shouldDecodeOrRefuseWhatIsCutOff(String name) throws Exception {
    byte[] whole = VideoFixtures.bytes(name);
    for (int part = 0; part < 16; part++) {
      byte[] cut = Arrays.copyOf(whole, whole.length * part / 16);
      try (VideoFile video = of(cut, VideoFile.Options.DEFAULT)) {
        assertThat(video.frames()).isLessThanOrEqualTo(VideoFixtures.frames().get(name).size());
        VideoFixtures.write(video.framesAt(0, video.frames() - 1));
      } catch (FormatException refused) {
        assertThat(refused).hasMessageStartingWith("broken");
      }
    }
  }

  /** The size of bframes.mp4 in its header becomes 10^6 x 10^6. */
  @Test
  void shouldRefuseFramesThatAreTooLarge() {
    byte[] bytes = VideoFixtures.bytes("bframes.mp4");
    assertThatThrownBy(() -> of(bytes, VideoFile.Options.DEFAULT.withMaxPixels(64 * 48 - 1)))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("broken, stream 0 (video, ")
        .hasMessageContaining("64 x 48")
        .hasMessageContaining("1 to 3071 pixels are expected");
    int claimed = 1_000_000;
    int track = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("tkhd");
    ByteBuffer.wrap(bytes)
        .putInt(track + 4 + 76, claimed << 12)
        .putInt(track + 4 + 80, claimed << 12);
    assertThat(track).isPositive();
    try (VideoFile video = of(bytes, VideoFile.Options.DEFAULT)) {
      assertThat((long) video.width() * video.height()).isLessThanOrEqualTo(1 << 26);
    } catch (IOException refused) {
      assertThat(refused).hasMessageStartingWith("broken");
    }
  }

  @Test
  void shouldConcealDamageOrNameItsTime() throws Exception {
    byte[] bytes = VideoFixtures.bytes("late.ts");
    Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 900, (byte) 0x55);
    try (VideoFile video = of(bytes, VideoFile.Options.DEFAULT)) {
      int[] all = java.util.stream.IntStream.range(0, video.frames()).toArray();
      List<Long> inOrder = VideoFixtures.checksums(video.framesAt(all));
      // Whatever takes the place of a lost frame does not depend on what was decoded before.
      for (int frame = video.frames() - 1; frame >= 0; frame--) {
        assertThat(VideoFixtures.checksums(video.framesAt(frame)))
            .as("frame %d", frame)
            .containsExactly(inOrder.get(frame));
      }
    }
    assertThatThrownBy(
            () -> {
              try (VideoFile video = of(bytes, STRICT)) {
                for (int frame = 0; frame < video.frames(); frame++) {
                  VideoFixtures.write(video.framesAt(frame));
                }
              }
            })
        .isInstanceOf(FormatException.class)
        .hasMessageMatching("broken, stream 0 \\(video, h264\\), at \\d\\.\\d+ s: .*");
  }

  /**
   * One file behind the other, as cameras and cat make them: the second has the times of the first.
   */
  @Test
  void shouldSayThatFramesShareTheirTimes() throws Exception {
    byte[] one = VideoFixtures.bytes("late.ts");
    byte[] two = Arrays.copyOf(one, 2 * one.length);
    System.arraycopy(one, 0, two, one.length, one.length);
    assertThatThrownBy(() -> of(two, STRICT))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(
            "broken: 50 of 100 frames have the time of another one and cannot be reached");
    try (VideoFile video = of(two, VideoFile.Options.DEFAULT)) {
      assertThat(video.frames()).isEqualTo(50);
    }
  }

  @Test
  void shouldRefuseTransformsThatLookAtPixels() throws Exception {
    try (VideoFile video = of(VideoFixtures.bytes("bframes.mp4"), VideoFile.Options.DEFAULT)) {
      assertThatThrownBy(
              () ->
                  video
                      .framesAt(0)
                      .eachFrame(
                          image -> {
                            image.pixels();
                            return image;
                          }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("must not look at them");
    }
  }
}
