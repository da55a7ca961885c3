package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.pixel.Region;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CenterCropTest {

  @ParameterizedTest
  @CsvSource({"10, 4, 3", "11, 4, 4", "13, 4, 4", "9, 4, 2", "4, 4, 0"})
  void shouldRoundHalfToEven(int size, int crop, int start) throws Exception {
    CountingSource source = new CountingSource(size, size);

    CenterCrop.of(crop).apply(source.image()).pixels();

    assertThat(source.lastRegion()).isEqualTo(new Region(start, start, crop, crop));
  }

  @Test
  void shouldSurroundASmallerImageWithBlack() throws Exception {
    byte[] white = {-1, -1, -1, -1, -1, -1};

    Pixels pixels = CenterCrop.of(4, 5).apply(Image.ofRgb(white, 2, 1)).pixels();

    StringBuilder drawn = new StringBuilder();
    for (int y = 0; y < pixels.height(); y++) {
      for (int x = 0; x < pixels.width(); x++) {
        drawn.append(pixels.rgbAt(x, y) == 0 ? '.' : 'x');
      }
      drawn.append('\n');
    }
    assertThat(drawn).hasToString(".....\n.xx..\n.....\n.....\n");
  }
}
