package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class RandomPerspectiveTest {

  @Test
  void shouldLeaveAnImageAloneWhoseCornersLieOnALine() {
    RandomPerspective always = RandomPerspective.of(0.5, 1);
    for (int[] size : new int[][] {{1, 1}, {1, 9}, {9, 1}}) {
      Image image = TestImage.image(size[0], size[1]);

      assertThat(always.apply(image, TorchRandom.ofSeed(1))).isSameAs(image);
    }
  }

  @Test
  void shouldDrawNineNumbersIfItActsAndOneIfNot() {
    TorchRandom random = TorchRandom.ofSeed(1);

    RandomPerspective.of(0.5, 1).apply(TestImage.image(9, 9), random);
    assertThat(random.words()).isEqualTo(9);

    RandomPerspective.of(0.5, 0).apply(TestImage.image(9, 9), random);
    assertThat(random.words()).isEqualTo(10);
  }
}
