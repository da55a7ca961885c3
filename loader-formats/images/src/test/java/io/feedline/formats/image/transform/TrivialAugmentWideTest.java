package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class TrivialAugmentWideTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return TrivialAugmentWide.of();
  }

  @Test
  void shouldTellItsConfiguration() {
    TrivialAugmentWide augment =
        TrivialAugmentWide.builder()
            .numMagnitudeBins(10)
            .interpolation(Interpolation.BICUBIC)
            .fill(1, 2, 3)
            .build();

    assertThat(augment.numMagnitudeBins()).isEqualTo(10);
    assertThat(augment.interpolation()).isEqualTo(Interpolation.BICUBIC);
    assertThat(augment.fill()).isEqualTo(0x010203);
    assertThat(TrivialAugmentWide.of())
        .hasToString(
            "TrivialAugmentWide(numMagnitudeBins=31, interpolation=nearest, fill=#000000)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> TrivialAugmentWide.builder().numMagnitudeBins(1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("was 1");
    assertThatThrownBy(() -> TrivialAugmentWide.builder().interpolation(Interpolation.BOX).build())
        .hasMessageEndingWith("was box");
  }
}
