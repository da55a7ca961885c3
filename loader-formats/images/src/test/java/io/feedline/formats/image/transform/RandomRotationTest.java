package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class RandomRotationTest {

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
    RandomRotation rotation = RandomRotation.of(degrees, degrees).withExpand(true);
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
}
