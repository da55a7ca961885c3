package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResizeTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomTransform.from(Resize.of(24));
  }

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
    Resize resize = Resize.builder(256).maxSize(300).build();

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
    Resize resize = Resize.builder().maxSize(300).build();

    Image result = resize.apply(new CountingSource(width, height).image());

    assertThat(result.width()).isEqualTo(newWidth);
    assertThat(result.height()).isEqualTo(newHeight);
    assertThat(resize.toString()).startsWith("Resize(maxSize=300, ");
    assertThat(resize.shorterEdge()).isEmpty();
    assertThatThrownBy(() -> Resize.builder().build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxSize");
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
  void shouldTellItsConfiguration() {
    Resize shorter = Resize.builder(256).maxSize(400).interpolation(Interpolation.BICUBIC).build();
    Resize exact = Resize.of(20, 70);

    assertThat(shorter.shorterEdge()).hasValue(256);
    assertThat(shorter.maxSize()).hasValue(400);
    assertThat(shorter.height()).isEmpty();
    assertThat(shorter.interpolation()).isEqualTo(Interpolation.BICUBIC);
    assertThat(shorter).hasToString("Resize(shorterEdge=256, maxSize=400, interpolation=bicubic)");
    assertThat(exact.height()).hasValue(20);
    assertThat(exact.width()).hasValue(70);
    assertThat(exact.shorterEdge()).isEmpty();
    assertThat(exact).hasToString("Resize(height=20, width=70, interpolation=bilinear)");
  }

  @Test
  void shouldLeaveAntialiasingOutWhenAsked() {
    Resize plain = Resize.builder(10, 20).antialias(false).build();

    assertThat(plain.antialias()).isFalse();
    assertThat(plain)
        .hasToString("Resize(height=10, width=20, interpolation=bilinear, antialias=false)");
    assertThat(plain.apply(TestImage.image(50, 60)).toString())
        .contains("resized to 20 x 10 (bilinear, not antialiased)");
    assertThat(Resize.of(10).antialias()).isTrue();
    assertThatThrownBy(
            () -> Resize.builder(9).antialias(false).interpolation(Interpolation.BICUBIC).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("antialias(false) goes with bilinear interpolation, was bicubic");
  }

  @Test
  void shouldRejectSizesOutOfRange() {
    assertThatThrownBy(() -> Resize.of(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shorterEdge")
        .hasMessageEndingWith("was 0");
    assertThatThrownBy(() -> Resize.of(5, -1)).hasMessageContaining("width");
    assertThatThrownBy(() -> Resize.builder(5).maxSize(0)).hasMessageContaining("maxSize");
    assertThatThrownBy(() -> Resize.builder(5).maxSize(5).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxSize must exceed the shorter edge 5, was 5");
    assertThatThrownBy(() -> Resize.builder(5, 6).maxSize(9).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxSize 9");
  }

  @Test
  void shouldRejectAnImageThatWouldBecomeTooLong() {
    Image thin = new CountingSource(1, 100_000).image();

    assertThatThrownBy(() -> Resize.of(256).apply(thin))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("25600000");
  }
}
