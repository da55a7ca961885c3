package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomPhotometricDistortTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomPhotometricDistort.of();
  }

  @Test
  void shouldLeaveAnImageAloneAtProbabilityZero() {
    RandomPhotometricDistort never = RandomPhotometricDistort.builder().probability(0).build();
    Image image = TestImage.image(3, 3);
    TorchRandom random = TorchRandom.ofSeed(1);

    assertThat(never.apply(image, random)).isSameAs(image);
    assertThat(random.words()).isEqualTo(6);
  }

  @Test
  void shouldTellItsConfiguration() {
    RandomPhotometricDistort distort =
        RandomPhotometricDistort.builder()
            .brightness(0.1, 2)
            .contrast(0.2, 3)
            .saturation(0.3, 4)
            .hue(-0.4, 0.1)
            .probability(0.75)
            .build();

    assertThat(distort.minBrightness()).isEqualTo(0.1);
    assertThat(distort.maxBrightness()).isEqualTo(2);
    assertThat(distort.minContrast()).isEqualTo(0.2);
    assertThat(distort.maxContrast()).isEqualTo(3);
    assertThat(distort.minSaturation()).isEqualTo(0.3);
    assertThat(distort.maxSaturation()).isEqualTo(4);
    assertThat(distort.minHue()).isEqualTo(-0.4);
    assertThat(distort.maxHue()).isEqualTo(0.1);
    assertThat(distort.probability()).isEqualTo(0.75);
    assertThat(RandomPhotometricDistort.of())
        .hasToString(
            "RandomPhotometricDistort(brightness=0.875..1.125, contrast=0.5..1.5,"
                + " saturation=0.5..1.5, hue=-0.05..0.05, probability=0.5)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    RandomPhotometricDistort.Builder builder = RandomPhotometricDistort.builder();
    assertThatThrownBy(() -> builder.brightness(-1, 2)).hasMessageContaining("brightness");
    assertThatThrownBy(() -> builder.contrast(2, 1)).hasMessageContaining("contrast");
    assertThatThrownBy(() -> builder.saturation(-1, 1)).hasMessageContaining("saturation");
    assertThatThrownBy(() -> builder.hue(-0.6, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hue");
    assertThatThrownBy(() -> builder.probability(2)).hasMessageEndingWith("was 2.0");
  }
}
