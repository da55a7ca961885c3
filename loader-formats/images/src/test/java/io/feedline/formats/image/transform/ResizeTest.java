package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResizeTest {

  @ParameterizedTest
  @CsvSource({
    "500, 375, 341, 256", // 341.33: the fraction is cut off
    "375, 500, 256, 341",
    "300, 300, 256, 256",
    "400, 256, 400, 256",
    "3, 1000, 256, 85333",
    "1, 1, 256, 256",
  })
  void shouldScaleTheShorterEdge(int width, int height, int newWidth, int newHeight) {
    Image result = Resize.of(256).apply(new CountingSource(width, height).image());

    assertThat(result.width()).isEqualTo(newWidth);
    assertThat(result.height()).isEqualTo(newHeight);
  }

  @ParameterizedTest
  @CsvSource({
    "500, 375, 300, 225", // 300 * 256 / 341 = 225.2
    "375, 500, 225, 300",
    "300, 300, 256, 256",
    "9999, 1, 300, 1",
  })
  void shouldLimitTheLongerEdge(int width, int height, int newWidth, int newHeight) {
    Resize resize = Resize.of(256).withMaxSize(300);

    Image result = resize.apply(new CountingSource(width, height).image());

    assertThat(result.width()).isEqualTo(newWidth);
    assertThat(result.height()).isEqualTo(newHeight);
  }

  /** As torchvision's v2 with {@code size=None}. */
  @ParameterizedTest
  @CsvSource({
    "500, 375, 300, 225",
    "375, 500, 225, 300",
    "100, 99, 300, 297",
    "333, 1000, 99, 300",
    "9999, 1, 300, 1",
  })
  void shouldScaleTheLongerEdge(int width, int height, int newWidth, int newHeight) {
    Resize resize = Resize.ofLongerEdge(300);

    Image result = resize.apply(new CountingSource(width, height).image());

    assertThat(result.width()).isEqualTo(newWidth);
    assertThat(result.height()).isEqualTo(newHeight);
    assertThat(resize.toString()).startsWith("Resize(maxSize=300, ");
  }

  @Test
  void shouldSayWhichSizeIsTooLargeForAnArray() {
    Image large = Resize.of(300_000).apply(TestImage.image(3, 3));
    assertThatThrownBy(large::pixels)
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContainingAll("300000 x 300000", "2^31");
  }

  @Test
  void shouldScaleToHeightAndWidth() {
    Image result = Resize.of(20, 70).apply(TestImage.image(33, 44));

    assertThat(result.shape()).hasToString("(3, 20, 70)");
  }

  @Test
  void shouldLeaveAntialiasingOutWhenAsked() {
    Resize plain = Resize.of(10, 20).withAntialias(false);

    assertThat(plain).hasToString("Resize(size=[10, 20], interpolation=bilinear, antialias=false)");
    assertThat(plain.apply(TestImage.image(50, 60)).toString())
        .contains("resized to 20 x 10 (bilinear, not antialiased)");
    assertThatThrownBy(
            () -> Resize.of(9).withAntialias(false).withInterpolation(Interpolation.BICUBIC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("antialias(false) goes with bilinear interpolation, was bicubic");
  }

  @Test
  void shouldRejectAnImageThatWouldBecomeTooLong() {
    Image thin = new CountingSource(1, 100_000).image();

    assertThatThrownBy(() -> Resize.of(256).apply(thin))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("25600000");
  }
}
