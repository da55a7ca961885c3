package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class AutoAugmentTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return AutoAugment.of(AutoAugment.Policy.SVHN);
  }

  @Test
  void shouldDrawFiveNumbersWhateverTheOutcome() {
    for (AutoAugment.Policy policy : AutoAugment.Policy.values()) {
      for (int seed = 0; seed < 30; seed++) {
        TorchRandom random = TorchRandom.ofSeed(seed);

        AutoAugment.of(policy).apply(TestImage.image(4, 4), random);

        assertThat(random.words()).isEqualTo(5);
      }
    }
  }

  @Test
  void shouldRejectWhatItCannotDo() {
    assertThatThrownBy(() -> AutoAugment.of().withInterpolation(Interpolation.BOX))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("was box");
    assertThatThrownBy(() -> AutoAugment.of(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("policy");
  }
}
