package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class RandomPhotometricDistortTest {

  @Test
  void shouldLeaveAnImageAloneAtProbabilityZero() {
    RandomPhotometricDistort never = RandomPhotometricDistort.of().withProbability(0);
    Image image = TestImage.image(3, 3);
    TorchRandom random = TorchRandom.ofSeed(1);

    assertThat(never.apply(image, random)).isSameAs(image);
    assertThat(random.words()).isEqualTo(6);
  }
}
