package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandAugmentTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandAugment.of(3, 14);
  }

  @Test
  void shouldDecodeOnceForAllItsOperations() throws Exception {
    for (int seed = 0; seed < 50; seed++) {
      CountingSource source = new CountingSource(30, 20);

      RandAugment.of(6, 9).apply(source.image(), TorchRandom.ofSeed(seed)).pixels();

      assertThat(source.decodes()).isEqualTo(1);
    }
  }

  @Test
  void shouldLeaveAnImageAloneWithoutOperations() {
    Image image = TestImage.image(5, 5);

    assertThat(RandAugment.of(0, 9).apply(image, TorchRandom.ofSeed(1))).isSameAs(image);
  }

  @Test
  void shouldTellItsConfiguration() {
    RandAugment augment =
        RandAugment.builder()
            .numOps(3)
            .magnitude(4)
            .numMagnitudeBins(10)
            .interpolation(Interpolation.BILINEAR)
            .fill(255, 0, 1)
            .build();

    assertThat(augment.numOps()).isEqualTo(3);
    assertThat(augment.magnitude()).isEqualTo(4);
    assertThat(augment.numMagnitudeBins()).isEqualTo(10);
    assertThat(augment.interpolation()).isEqualTo(Interpolation.BILINEAR);
    assertThat(augment.fill()).isEqualTo(0xFF0001);
    assertThat(RandAugment.of())
        .hasToString(
            "RandAugment(numOps=2, magnitude=9, numMagnitudeBins=31, interpolation=nearest,"
                + " fill=#000000)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandAugment.of(-1, 9)).hasMessage("numOps must be 0 or more, was -1");
    assertThatThrownBy(() -> RandAugment.of(2, 31)).hasMessage("magnitude must be 0 to 30, was 31");
    assertThatThrownBy(() -> RandAugment.builder().numMagnitudeBins(1).build())
        .hasMessageEndingWith("was 1");
    assertThatThrownBy(() -> RandAugment.builder().interpolation(Interpolation.LANCZOS).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("was lanczos");
    assertThatThrownBy(() -> RandAugment.builder().fill(0, 256, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("was 0, 256, 0");
  }
}
