package io.feedline.formats.cli.internal.stores;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.cli.CommandFixture;
import io.feedline.formats.cli.internal.command.ExitCode;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on videos and sounds, as loader-media brings them. */
class PreviewFilesTest extends CommandFixture {

  /** The fixtures of loader-media. */
  private static final Path FIXTURES =
      Path.of("../media/src/test/resources/io/feedline/formats/media");

  @TempDir private Path directory;
  private Path video;
  private Path sound;

  @BeforeEach
  void copyFixtures() throws IOException {
    Path files = Files.createDirectories(directory.resolve("files").resolve("nested"));
    video = Files.copy(FIXTURES.resolve("video/bframes.mp4"), files.resolve("moving.MP4"));
    sound = Files.copy(FIXTURES.resolve("sound/pcm16.wav"), files.getParent().resolve("tone.wav"));
    Files.writeString(files.resolve("notes.txt"), "no sound");
  }

  @Test
  void shouldInspectAVideo() throws IOException {
    assertThat(ok("inspect", video, "--no-progress"))
        .startsWith(video + ": video, ")
        .contains("codec h264, width 64, height 48, rotation 0, frames 50, seconds 2.00");
    assertThat(ok("inspect", video, "--json --no-progress"))
        .contains("\"frames\":50", "\"broken\":0");
    try (var beside = Files.list(video.getParent())) {
      assertThat(beside).hasSize(2);
    }
  }

  @Test
  void shouldInspectADirectory() {
    assertThat(ok("inspect", directory.resolve("files"), "--no-progress").lines())
        .hasSize(3)
        .first()
        .asString()
        .endsWith(": 1 sound file, 1 video file");
    assertThat(out()).contains("tone.wav: sound, ", "codec pcm_s16le, sample rate ");
  }

  @Test
  void shouldDrawFramesOfAVideo() throws IOException {
    Path sheet = directory.resolve("sheet.png");
    assertThat(ok("show", video, "-o", sheet, "-n 6 --cell 64"))
        .contains("  0: 0.00 s", "  8: 0.32 s", "Wrote " + sheet);
    BufferedImage drawn = ImageIO.read(sheet.toFile());
    // Three columns of cells of 64 pixels with gaps of 4.
    assertThat(drawn.getWidth()).isEqualTo(4 + 3 * 68);
  }

  @Test
  void shouldDrawTheSpectrogramOfASound() throws IOException {
    Path sheet = directory.resolve("sheet.png");
    assertThat(ok("show", sound, "-o", sheet)).contains("1 sound file", "  0.0 s to ");
    BufferedImage drawn = ImageIO.read(sheet.toFile());
    int[] pixels =
        drawn.getRGB(0, 0, drawn.getWidth(), drawn.getHeight(), null, 0, drawn.getWidth());
    assertThat(Arrays.stream(pixels).distinct().count()).isGreaterThan(20);
    assertThat(ok("show", directory.resolve("files"), "-o", sheet))
        .contains("  moving.MP4", "  tone.wav");
  }

  @Test
  void shouldTakeAVideoContainerWithoutVideoForASound() throws IOException {
    Path radio = Files.copy(FIXTURES.resolve("sound/aac.ts"), directory.resolve("radio.ts"));
    assertThat(ok("inspect", radio, "--no-progress")).contains("codec aac, sample rate 22050");
    ok("verify", radio, "--no-progress");
    assertThat(ok("show", radio, "-o", directory.resolve("sheet.png"))).contains("  0.0 s to ");
  }

  @Test
  void shouldRefuseOptionsOfImages() {
    Path sheet = directory.resolve("sheet.png");
    assertThat(fails(ExitCode.USAGE, "show", video, "-o", sheet, "--pipeline train"))
        .contains("--pipeline and --first are for stores of images, not for 1 video file");
  }

  @Test
  void shouldVerifyAndListDamagedFiles() throws IOException {
    Path files = directory.resolve("files");
    assertThat(ok("verify", files, "--no-progress"))
        .contains("1 sound file, 1 video file, 2 files", "all can be read");

    byte[] bytes = Files.readAllBytes(video);
    Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 600, (byte) 0x55);
    Path broken = Files.write(files.resolve("broken.mp4"), bytes);
    Files.write(files.resolve("text.wav"), "this is no sound".getBytes(UTF_8));
    fails(ExitCode.FAILED, "verify", files, "--no-progress");
    assertThat(out())
        .contains(broken + "  ", "stream 0 (video, h264)", "2 bad files")
        .contains("text.wav: the file is no video or sound file");
    fails(ExitCode.FAILED, "inspect", files, "--no-progress");
    assertThat(out()).contains("text.wav: the file is no video or sound file");
  }
}
