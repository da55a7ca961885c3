package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Region;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

/**
 * AutoAugment, RandAugment and AugMix, but for the pixels, which are compared with torchvision's.
 */
class AugmentationsTest {

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
  void shouldDecodeOnceForAllItsOperations() throws Exception {
    for (int seed = 0; seed < 50; seed++) {
      CountingSource source = new CountingSource(30, 20);

      RandAugment.of(6, 9).apply(source.image(), TorchRandom.ofSeed(seed)).pixels();

      assertThat(source.decodes()).isEqualTo(1);
    }
  }

  @Test
  void shouldLeaveAnImageAloneWithoutOperations() {
    Image image = TestImage.image(5, 5);

    assertThat(RandAugment.of(0, 9).apply(image, TorchRandom.ofSeed(1))).isSameAs(image);
  }
}
