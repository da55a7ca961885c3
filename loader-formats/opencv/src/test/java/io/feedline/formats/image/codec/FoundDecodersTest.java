package io.feedline.formats.image.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A decoder of a format that Feedline does not know, {@link TinyImages}. */
class FoundDecodersTest {

  private static final byte[] ORANGE = TinyImages.image(40, 30, 255, 128, 0);

  @ParameterizedTest
  @EnumSource(DecodeOptions.Backend.class)
  void shouldDecodeByADecoderThatWasFoundWhateverTheBackend(DecodeOptions.Backend backend)
      throws IOException {
    DecodeOptions options = DecodeOptions.DEFAULT.withBackend(backend);

    Image image = Image.ofEncoded(ORANGE, "orange", options);

    assertThat(image.width()).isEqualTo(40);
    assertThat(image.height()).isEqualTo(30);
    assertThat(image.crop(new Region(1, 2, 2, 1)).pixels().rgb())
        .containsExactly(255, 128, 0, 255, 128, 0);
  }

  @Test
  void shouldMakeOtherModesOfRgb() throws IOException {
    DecodeOptions gray = DecodeOptions.DEFAULT.withMode(ImageMode.GRAY);

    assertThat(
            Image.ofEncoded(ORANGE, "orange", gray).resize(1, 1, Interpolation.BOX).pixels().rgb())
        .containsExactly(151, 151, 151);
    assertThat(Image.storedMode(ORANGE)).isEqualTo(ImageMode.RGB);
    DecodeOptions wide = DecodeOptions.DEFAULT.withMode(ImageMode.GRAY16);
    assertThatThrownBy(
            () ->
                Image.ofEncoded(ORANGE, "orange", wide)
                    .writePixels(ByteBuffer.allocate(2400).order(ByteOrder.nativeOrder())))
        .hasRootCauseInstanceOf(FormatException.class)
        .hasMessageContaining("gray16");
  }

  @Test
  void shouldHoldAHeaderToTheLargestSize() {
    assertThatThrownBy(
            () -> Image.ofEncoded(ORANGE, "orange", DecodeOptions.DEFAULT.withMaxPixels(1000)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("40 x 30");
  }
}
