package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomRotationTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomRotation.builder(170).interpolation(Interpolation.BILINEAR).expand(true).build();
  }

  @Test
  void shouldTurnByRightAnglesWithoutResampling() throws Exception {
    byte[] rgb = new byte[3 * 2 * 3];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) (i / 3);
    }
    Image image = Image.ofRgb(rgb, 2, 3);

    assertThat(turned(image, 90)).isEqualTo("135024");
    assertThat(turned(image, 180)).isEqualTo("543210");
    assertThat(turned(image, -90)).isEqualTo("420531");
    assertThat(turned(image, 360)).isEqualTo("012345");
  }

  private static String turned(Image image, double degrees) throws Exception {
    RandomRotation rotation = RandomRotation.builder(degrees, degrees).expand(true).build();
    StringBuilder pixels = new StringBuilder();
    byte[] rgb = rotation.apply(image, TorchRandom.ofSeed(1)).pixels().rgb();
    for (int i = 0; i < rgb.length; i += 3) {
      pixels.append(rgb[i]);
    }
    return pixels.toString();
  }

  /** Beyond 32768 pixels Pillow leaves its fixed point arithmetic. */
  @Test
  void shouldTurnALongImage() throws Exception {
    Image image = TestImage.noise(40_000, 3);

    Image result = new Warp(Interpolation.NEAREST, 0).rotate(image, 0.002, false);

    assertThat(Golden.pixelsCrc(result)).isEqualTo("b231bd56");
  }

  @Test
  void shouldTellItsConfiguration() {
    RandomRotation rotation =
        RandomRotation.builder(-20, 30)
            .interpolation(Interpolation.BICUBIC)
            .expand(true)
            .center(4, 5.5)
            .fill(1, 2, 3)
            .build();

    assertThat(rotation.minDegrees()).isEqualTo(-20);
    assertThat(rotation.maxDegrees()).isEqualTo(30);
    assertThat(rotation.interpolation()).isEqualTo(Interpolation.BICUBIC);
    assertThat(rotation.expand()).isTrue();
    assertThat(rotation.centerX()).hasValue(4);
    assertThat(rotation.centerY()).hasValue(5.5);
    assertThat(rotation.fill()).isEqualTo(0x010203);
    assertThat(rotation)
        .hasToString(
            "RandomRotation(degrees=-20.0..30.0, interpolation=bicubic, expand=true,"
                + " center=(4.0, 5.5), fill=#010203)");
    assertThat(RandomRotation.of(10).centerX()).isEmpty();
    assertThat(RandomRotation.of(10).centerY()).isEmpty();
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomRotation.of(-1))
        .hasMessage("degrees must be 0 or more and finite, was -1.0; a range takes two numbers");
    assertThatThrownBy(() -> RandomRotation.of(Double.NaN)).hasMessageContaining("degrees");
    assertThatThrownBy(() -> RandomRotation.builder(1).center(Double.NaN, 0).build())
        .hasMessageContaining("center");
    assertThatThrownBy(() -> RandomRotation.builder(1).interpolation(Interpolation.BOX).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("was box");
  }
}
