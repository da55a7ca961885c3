package io.feedline.formats.cli.internal.stores;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.cli.Feedline;
import io.feedline.formats.cli.internal.command.ExitCode;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on videos and sounds, as loader-media brings them. */
class PreviewFilesTest {

  /** The fixtures of loader-media. */
  private static final Path FIXTURES =
      Path.of("../media/src/test/resources/io/feedline/formats/media");

  @TempDir private Path directory;
  private Path video;
  private Path sound;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void copyFixtures() throws IOException {
    Path files = Files.createDirectories(directory.resolve("files").resolve("nested"));
    video = Files.copy(FIXTURES.resolve("video/bframes.mp4"), files.resolve("moving.MP4"));
    sound = Files.copy(FIXTURES.resolve("sound/pcm16.wav"), files.getParent().resolve("tone.wav"));
    Files.writeString(files.resolve("notes.txt"), "no sound");
  }

  private int feedline(Object... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Feedline.run(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        Arrays.stream(args).map(Object::toString).toArray(String[]::new));
  }

  @Test
  void shouldInspectAVideo() throws IOException {
    assertThat(feedline("inspect", video, "--no-progress")).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith(video + ": video, ")
        .contains("codec h264, width 64, height 48, rotation 0, frames 50, seconds 2.00");
    assertThat(feedline("inspect", video, "--json", "--no-progress")).isZero();
    assertThat(out.toString()).contains("\"frames\":50", "\"broken\":0");
    try (var beside = Files.list(video.getParent())) {
      assertThat(beside).hasSize(2);
    }
  }

  @Test
  void shouldInspectADirectory() {
    assertThat(feedline("inspect", directory.resolve("files"), "--no-progress")).isZero();
    assertThat(out.toString().lines())
        .hasSize(3)
        .first()
        .asString()
        .endsWith(": 1 sound file, 1 video file");
    assertThat(out.toString()).contains("tone.wav: sound, ", "codec pcm_s16le, sample rate ");
  }

  @Test
  void shouldDrawFramesOfAVideo() throws IOException {
    Path sheet = directory.resolve("sheet.png");
    assertThat(feedline("show", video, "-o", sheet, "-n", 6, "--cell", 64)).isZero();
    assertThat(out.toString()).contains("  0: 0.00 s", "  8: 0.32 s", "Wrote " + sheet);
    BufferedImage drawn = ImageIO.read(sheet.toFile());
    // Three columns of cells of 64 pixels with gaps of 4.
    assertThat(drawn.getWidth()).isEqualTo(4 + 3 * 68);
  }

  @Test
  void shouldDrawTheSpectrogramOfASound() throws IOException {
    Path sheet = directory.resolve("sheet.png");
    assertThat(feedline("show", sound, "-o", sheet)).isZero();
    assertThat(out.toString()).contains("1 sound file", "  0.0 s to ");
    BufferedImage drawn = ImageIO.read(sheet.toFile());
    int[] pixels =
        drawn.getRGB(0, 0, drawn.getWidth(), drawn.getHeight(), null, 0, drawn.getWidth());
    assertThat(Arrays.stream(pixels).distinct().count()).isGreaterThan(20);
    assertThat(feedline("show", directory.resolve("files"), "-o", sheet)).isZero();
    assertThat(out.toString()).contains("  moving.MP4", "  tone.wav");
  }

  @Test
  void shouldTakeAVideoContainerWithoutVideoForASound() throws IOException {
    Path radio = Files.copy(FIXTURES.resolve("sound/aac.ts"), directory.resolve("radio.ts"));
    assertThat(feedline("inspect", radio, "--no-progress")).isZero();
    assertThat(out.toString()).contains("codec aac, sample rate 22050");
    assertThat(feedline("verify", radio, "--no-progress")).isZero();
    assertThat(feedline("show", radio, "-o", directory.resolve("sheet.png"))).isZero();
    assertThat(out.toString()).contains("  0.0 s to ");
  }

  @Test
  void shouldRefuseOptionsOfImages() {
    Path sheet = directory.resolve("sheet.png");
    assertThat(feedline("show", video, "-o", sheet, "--pipeline", "train"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--pipeline and --first are for stores of images, not for 1 video file");
  }

  @Test
  void shouldVerifyAndListDamagedFiles() throws IOException {
    Path files = directory.resolve("files");
    assertThat(feedline("verify", files, "--no-progress")).as(out.toString()).isZero();
    assertThat(out.toString()).contains("1 sound file, 1 video file, 2 files", "all can be read");

    byte[] bytes = Files.readAllBytes(video);
    Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 600, (byte) 0x55);
    Path broken = Files.write(files.resolve("broken.mp4"), bytes);
    Files.write(files.resolve("text.wav"), "this is no sound".getBytes(UTF_8));
    assertThat(feedline("verify", files, "--no-progress")).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString())
        .contains(broken + "  ", "stream 0 (video, h264)", "2 bad files")
        .contains("text.wav: the file is no video or sound file");
    assertThat(feedline("inspect", files, "--no-progress")).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("text.wav: the file is no video or sound file");
  }
}
