package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class ScaleJitterTest {

  @Test
  void shouldFitIntoTheTargetAtAFactorOfOne() {
    ScaleJitter fit = ScaleJitter.of(40, 10).withScale(1, 1);

    Image wide = fit.apply(TestImage.image(80, 10), TorchRandom.ofSeed(0));
    Image high = fit.apply(TestImage.image(20, 40), TorchRandom.ofSeed(0));

    assertThat(wide.width()).isEqualTo(40);
    assertThat(wide.height()).isEqualTo(5);
    assertThat(high.width()).isEqualTo(5);
    assertThat(high.height()).isEqualTo(10);
  }
}
