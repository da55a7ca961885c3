package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class ScaleJitterTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return ScaleJitter.of(24);
  }

  @Test
  void shouldFitIntoTheTargetAtAFactorOfOne() {
    ScaleJitter fit = ScaleJitter.builder(40, 10).scale(1, 1).build();

    Image wide = fit.apply(TestImage.image(80, 10), TorchRandom.ofSeed(0));
    Image high = fit.apply(TestImage.image(20, 40), TorchRandom.ofSeed(0));

    assertThat(wide.width()).isEqualTo(40);
    assertThat(wide.height()).isEqualTo(5);
    assertThat(high.width()).isEqualTo(5);
    assertThat(high.height()).isEqualTo(10);
  }

  @Test
  void shouldTellItsConfiguration() {
    ScaleJitter jitter =
        ScaleJitter.builder(40, 30)
            .scale(0.5, 0.75)
            .interpolation(Interpolation.BILINEAR)
            .antialias(false)
            .build();

    assertThat(jitter.targetWidth()).isEqualTo(40);
    assertThat(jitter.targetHeight()).isEqualTo(30);
    assertThat(jitter.minScale()).isEqualTo(0.5);
    assertThat(jitter.maxScale()).isEqualTo(0.75);
    assertThat(jitter.interpolation()).isEqualTo(Interpolation.BILINEAR);
    assertThat(jitter.antialias()).isFalse();
    assertThat(ScaleJitter.of(1024))
        .hasToString(
            "ScaleJitter(targetWidth=1024, targetHeight=1024, scale=0.1..2.0,"
                + " interpolation=bilinear)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> ScaleJitter.of(0)).hasMessageContaining("targetWidth");
    assertThatThrownBy(() -> ScaleJitter.builder(3, -1)).hasMessageContaining("targetHeight");
    assertThatThrownBy(() -> ScaleJitter.builder(3).scale(0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("scale");
    assertThatThrownBy(
            () ->
                ScaleJitter.builder(3)
                    .interpolation(Interpolation.BICUBIC)
                    .antialias(false)
                    .build())
        .hasMessageContaining("antialias");
  }
}
