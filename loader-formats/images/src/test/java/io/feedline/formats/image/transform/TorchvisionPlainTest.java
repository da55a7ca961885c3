package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Golden;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares with what torchvision made of tensors without antialiasing; torchvision_plain.py made
 * the file. It computes in floats and rounds once, where Feedline rounds after each pass, so they
 * may differ by one level.
 */
class TorchvisionPlainTest {

  static List<String[]> cases() throws IOException {
    return Golden.lines("torchvision_plain.txt");
  }

  @ParameterizedTest(name = "{4}x{5} to {6}x{7}")
  @MethodSource("cases")
  void shouldResizeAsTorchvisionDoesToOneLevel(
      int width,
      int height,
      int x,
      int y,
      int cropWidth,
      int cropHeight,
      int newWidth,
      int newHeight,
      String hex)
      throws IOException {
    byte[] expected = HexFormat.of().parseHex(hex);

    byte[] rgb =
        TestImage.image(width, height)
            .crop(new Region(x, y, cropWidth, cropHeight))
            .resize(newWidth, newHeight, Interpolation.BILINEAR, false)
            .pixels()
            .rgb();

    assertThat(rgb).hasSameSizeAs(expected);
    for (int i = 0; i < rgb.length; i++) {
      assertThat(Math.abs((rgb[i] & 0xFF) - (expected[i] & 0xFF)))
          .as("difference of sample %d, %d and %d", i, rgb[i] & 0xFF, expected[i] & 0xFF)
          .isLessThanOrEqualTo(1);
    }
  }
}
