package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.Interpolation;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares with what Pillow's draft and resize made of the same JPEGs; see pillow_draft.py. */
class PillowDraftTest {

  private static final DecodeOptions FAST =
      DecodeOptions.DEFAULT.withBackend(DecodeOptions.Backend.FEEDLINE).withFast(true);

  static List<String[]> cases() throws IOException {
    return Golden.lines("pillow_draft.txt");
  }

  @ParameterizedTest(name = "{0} to {1}x{2}")
  @MethodSource("cases")
  void shouldDecodeAFractionAsPillowDoes(String name, int width, int height, String crc)
      throws IOException {
    Image image = Image.ofEncoded(Fixtures.bytes(name), name, FAST);

    assertThat(Golden.pixelsCrc(image.resize(width, height, Interpolation.BILINEAR)))
        .isEqualTo(crc);
  }
}
