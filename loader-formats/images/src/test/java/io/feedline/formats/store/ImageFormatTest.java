package io.feedline.formats.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageFormatTest {

  private static byte[] beginning(String signature) {
    return Arrays.copyOf(signature.getBytes(ISO_8859_1), 64);
  }

  @ParameterizedTest
  @CsvSource({
    "....ftypheic, HEIC",
    "....ftypmif1, HEIC",
    "....ftypavif, AVIF",
    "....ftypisom, a video",
    "8BPS, a Photoshop file",
    "%PDF-1.4, PDF",
  })
  void shouldNameOtherKindsOfFiles(String start, String kind) {
    assertThatThrownBy(() -> Image.ofEncoded(beginning(start), "x"))
        .hasMessageContainingAll(kind, "not supported", "convert it");
  }

  @Test
  void shouldNameKindsWithoutTextInFront() {
    assertThat(ImageFormat.otherKind(beginning("\0\0\0\fjP  \r\n\u0087\n"))).isEqualTo("JPEG 2000");
    assertThat(ImageFormat.otherKind(beginning("\u00FF\u004F\u00FF\u0051"))).isEqualTo("JPEG 2000");
    assertThat(ImageFormat.otherKind(beginning("\u001F\u008B\b"))).isEqualTo("gzip data");
    assertThat(ImageFormat.otherKind(beginning("no image"))).isEmpty();
    assertThat(ImageFormat.otherKind(new byte[0])).isEmpty();
  }
}
