package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomShortestSizeTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomShortestSize.of(12, 20);
  }

  @Test
  void shouldGiveEachLengthToTheShorterEdge() {
    TorchRandom random = TorchRandom.ofSeed(1);
    int[] counts = new int[21];
    for (int i = 0; i < 100; i++) {
      Image result = RandomShortestSize.of(12, 20).apply(TestImage.image(60, 40), random);
      counts[result.height()]++;
      assertThat(result.width()).isEqualTo(result.height() * 3 / 2);
    }

    assertThat(counts[12]).isBetween(30, 70);
    assertThat(counts[12] + counts[20]).isEqualTo(100);
  }

  @Test
  void shouldKeepTheLongerEdgeBelowItsLimit() {
    RandomShortestSize limited = RandomShortestSize.builder(40).maxSize(50).build();

    Image result = limited.apply(TestImage.image(100, 20), TorchRandom.ofSeed(1));

    assertThat(result.width()).isEqualTo(50);
    assertThat(result.height()).isEqualTo(10);
  }

  @Test
  void shouldTellItsConfiguration() {
    RandomShortestSize shortest =
        RandomShortestSize.builder(640, 672)
            .maxSize(1333)
            .interpolation(Interpolation.BILINEAR)
            .antialias(false)
            .build();

    assertThat(shortest.minSizes()).containsExactly(640, 672);
    assertThat(shortest.maxSize()).hasValue(1333);
    assertThat(shortest.interpolation()).isEqualTo(Interpolation.BILINEAR);
    assertThat(shortest.antialias()).isFalse();
    assertThat(RandomShortestSize.of(7).maxSize()).isEmpty();
    assertThat(RandomShortestSize.builder(7, 8).maxSize(9).build())
        .hasToString("RandomShortestSize(minSizes=[7, 8], maxSize=9, interpolation=bilinear)");
  }

  @Test
  void shouldNotChangeWithTheArrayItWasGiven() {
    int[] sizes = {7, 8};
    RandomShortestSize shortest = RandomShortestSize.of(sizes);
    sizes[0] = 100;
    shortest.minSizes()[1] = 100;

    assertThat(shortest.minSizes()).containsExactly(7, 8);
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomShortestSize.of())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("minSizes");
    assertThatThrownBy(() -> RandomShortestSize.of(3, 0)).hasMessageEndingWith("was 0");
    assertThatThrownBy(() -> RandomShortestSize.builder(3).maxSize(0))
        .hasMessageContaining("maxSize");
  }
}
