package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class RandomChannelPermutationTest {

  @Test
  void shouldGiveEachOrderAboutAsOften() throws Exception {
    TorchRandom random = TorchRandom.ofSeed(2);
    Image image = Image.ofRgb(new byte[] {1, 2, 3}, 1, 1);
    int[] counts = new int[322];
    for (int i = 0; i < 600; i++) {
      byte[] rgb = RandomChannelPermutation.of().apply(image, random).pixels().rgb();
      counts[100 * rgb[0] + 10 * rgb[1] + rgb[2]]++;
    }

    for (int order : new int[] {123, 132, 213, 231, 312, 321}) {
      assertThat(counts[order]).as("order %d", order).isBetween(60, 140);
    }
  }
}
