package io.feedline.formats.image.codec.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageHeadersTest {

  @ParameterizedTest
  @CsvSource({
    "....ftypheic, HEIC",
    "....ftypmif1, HEIC",
    "....ftypavif, AVIF",
    "....ftypisom, a video (brand 'isom')",
    "'\\0\\0\\0\\fjP  ', JPEG 2000",
    "\u00FFO\u00FFQ, JPEG 2000",
    "'\\0\\0\\0\\fJXL ', JPEG XL",
    "'\\37\\213', gzip",
    "8BPS, a Photoshop file",
    "%PDF-1.4, PDF",
  })
  void shouldNameOtherKindsOfFiles(String start, String kind) {
    byte[] data = Arrays.copyOf(start.translateEscapes().getBytes(ISO_8859_1), 64);
    assertThatThrownBy(() -> Image.ofEncoded(data, "x"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(
            "x", "this is ", kind, "not supported; JPEG, PNG, BMP, GIF,", "convert");
  }
}
