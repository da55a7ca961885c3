package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
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
}
