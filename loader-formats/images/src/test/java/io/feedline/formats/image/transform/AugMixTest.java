package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class AugMixTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return AugMix.of();
  }

  @Test
  void shouldGiveTheSamePixelsInAPart() throws Exception {
    Region part = new Region(7, 4, 11, 9);
    for (int seed = 0; seed < 10; seed++) {
      Image mixed = AugMix.of().apply(TestImage.noise(41, 29), TorchRandom.ofSeed(seed));

      assertThat(mixed.crop(part).pixels().rgb())
          .isEqualTo(mixed.pixels().toImage().crop(part).pixels().rgb());
    }
  }

  @Test
  void shouldTellHowVariantsAreMade() {
    Image mixed = AugMix.of().apply(TestImage.image(4, 4), TorchRandom.ofSeed(3));

    assertThat(mixed.toString()).containsPattern("mixed with .* of \\[[a-z ]+ .*\\], ");
  }

  @Test
  void shouldTellItsConfiguration() {
    AugMix mix =
        AugMix.builder()
            .severity(10)
            .mixtureWidth(5)
            .chainDepth(2)
            .alpha(0.25)
            .allOps(false)
            .interpolation(Interpolation.NEAREST)
            .fill(1, 2, 3)
            .build();

    assertThat(mix.severity()).isEqualTo(10);
    assertThat(mix.mixtureWidth()).isEqualTo(5);
    assertThat(mix.chainDepth()).isEqualTo(2);
    assertThat(mix.alpha()).isEqualTo(0.25);
    assertThat(mix.allOps()).isFalse();
    assertThat(mix.interpolation()).isEqualTo(Interpolation.NEAREST);
    assertThat(mix.fill()).isEqualTo(0x010203);
    assertThat(AugMix.of())
        .hasToString(
            "AugMix(severity=3, mixtureWidth=3, chainDepth=-1, alpha=1.0, allOps=true,"
                + " interpolation=bilinear, fill=#000000)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> AugMix.builder().severity(11).build())
        .hasMessage("severity must be 1 to 10, was 11");
    assertThatThrownBy(() -> AugMix.builder().severity(0).build()).hasMessageEndingWith("was 0");
    assertThatThrownBy(() -> AugMix.builder().mixtureWidth(0).build())
        .hasMessage("mixtureWidth must be 1 or more, was 0");
    assertThatThrownBy(() -> AugMix.builder().alpha(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("alpha must be above 0 and finite, was 0.0");
    assertThatThrownBy(() -> AugMix.builder().interpolation(Interpolation.LANCZOS).build())
        .hasMessageEndingWith("was lanczos");
  }
}
