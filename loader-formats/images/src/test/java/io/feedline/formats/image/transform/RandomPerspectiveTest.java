package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomPerspectiveTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomPerspective.of(0.6, 0.8);
  }

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

  @Test
  void shouldTellItsConfiguration() {
    RandomPerspective perspective =
        RandomPerspective.builder()
            .distortionScale(0.25)
            .probability(0.75)
            .interpolation(Interpolation.BICUBIC)
            .fill(1, 2, 3)
            .build();

    assertThat(perspective.distortionScale()).isEqualTo(0.25);
    assertThat(perspective.probability()).isEqualTo(0.75);
    assertThat(perspective.interpolation()).isEqualTo(Interpolation.BICUBIC);
    assertThat(perspective.fill()).isEqualTo(0x010203);
    assertThat(RandomPerspective.of())
        .hasToString(
            "RandomPerspective(distortionScale=0.5, probability=0.5, interpolation=bilinear,"
                + " fill=#000000)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomPerspective.of(1.5, 0.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("distortionScale");
    assertThatThrownBy(() -> RandomPerspective.of(0.5, 2)).hasMessageEndingWith("was 2.0");
    assertThatThrownBy(() -> RandomPerspective.builder().interpolation(Interpolation.BOX).build())
        .hasMessageEndingWith("was box");
  }
}
