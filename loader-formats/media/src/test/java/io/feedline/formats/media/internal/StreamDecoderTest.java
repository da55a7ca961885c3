package io.feedline.formats.media.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamDecoderTest {

  private static byte[] fixture(String name) throws IOException {
    try (InputStream in =
        StreamDecoderTest.class.getResourceAsStream("/io/feedline/formats/media/video/" + name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void shouldDescribeStreams() throws IOException {
    try (MediaInput input = MediaInput.open("late.ts", MediaBytes.of(fixture("late.ts")))) {
      MediaStream stream = input.first(MediaStream.Kind.VIDEO);

      assertThat(stream.codec()).isEqualTo("h264");
      assertThatThrownBy(() -> input.first(MediaStream.Kind.AUDIO))
          .isInstanceOf(FormatException.class)
          .hasMessage(
              "late.ts: the file has no stream of kind AUDIO; it has [stream 0 (video, h264)]");
    }
  }

  @Test
  void shouldRefuseWhatIsNoMedia() {
    assertThatThrownBy(() -> MediaInput.open("a.txt", MediaBytes.of(new byte[0])))
        .isInstanceOf(FormatException.class)
        .hasMessage("a.txt: the file is empty");
    byte[] text = "no video at all, but text".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> MediaInput.open("a.txt", MediaBytes.of(text)))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("a.txt: the file is no video or sound file of a known container");
  }

  /** FFmpeg's command opens such files, and what they name. */
  @Test
  void shouldRefusePlaylists() {
    for (String playlist :
        List.of(
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile /etc/passwd\n")) {
      assertThatThrownBy(
              () ->
                  MediaInput.open("list", MediaBytes.of(playlist.getBytes(StandardCharsets.UTF_8))))
          .isInstanceOf(FormatException.class);
    }
  }

  @Test
  void shouldThrowWhatReadingThrows() throws IOException {
    byte[] file = fixture("bframes.mp4");
    MediaBytes failing =
        new MediaBytes() {
          @Override
          public long length() {
            return file.length;
          }

          @Override
          public void read(long position, ByteBuffer target) throws IOException {
            throw new IOException("the network is down");
          }

          @Override
          public boolean isFar() {
            return true;
          }

          @Override
          public void close() {
            // Nothing is open.
          }
        };
    assertThatThrownBy(() -> MediaInput.open("file", failing))
        .isInstanceOf(IOException.class)
        .hasMessage("the network is down");
  }
}
