package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares with what Pillow made of the same images; pillow_resize.py made the file. */
class PillowResizeTest {

  static List<String[]> cases() throws IOException {
    return Golden.lines("pillow_resize.txt");
  }

  @ParameterizedTest(name = "{0}x{1} {8} to {6}x{7}")
  @MethodSource("cases")
  void shouldResizeAsPillowDoes(
      int width,
      int height,
      int x,
      int y,
      int cropWidth,
      int cropHeight,
      int newWidth,
      int newHeight,
      Interpolation filter,
      String crc)
      throws IOException {
    Image image =
        TestImage.image(width, height)
            .crop(new Region(x, y, cropWidth, cropHeight))
            .resize(newWidth, newHeight, filter);

    assertThat(Golden.pixelsCrc(image)).isEqualTo(crc);
  }
}
