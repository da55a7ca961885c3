package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class RandomShortestSizeTest {

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
    RandomShortestSize limited = RandomShortestSize.of(40).withMaxSize(50);

    Image result = limited.apply(TestImage.image(100, 20), TorchRandom.ofSeed(1));

    assertThat(result.width()).isEqualTo(50);
    assertThat(result.height()).isEqualTo(10);
  }

  @Test
  void shouldNotChangeWithTheArrayItWasGiven() {
    int[] sizes = {7, 8};
    RandomShortestSize shortest = RandomShortestSize.of(sizes);
    sizes[0] = 100;

    assertThat(shortest).isEqualTo(RandomShortestSize.of(7, 8));
  }
}
