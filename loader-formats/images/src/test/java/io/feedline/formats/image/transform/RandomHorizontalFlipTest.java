package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomHorizontalFlipTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomHorizontalFlip.of();
  }

  @Test
  void shouldFlipAlwaysOrNeverAtTheLimits() throws Exception {
    TorchRandom random = TorchRandom.ofSeed(5);
    Image image = Image.ofRgb(new byte[] {1, 2, 3, 4, 5, 6}, 2, 1);

    for (int i = 0; i < 200; i++) {
      assertThat(RandomHorizontalFlip.of(1).apply(image, random).pixels().rgb())
          .containsExactly(4, 5, 6, 1, 2, 3);
      assertThat(RandomHorizontalFlip.of(0).apply(image, random).pixels().rgb())
          .containsExactly(1, 2, 3, 4, 5, 6);
    }
  }

  @Test
  void shouldDrawOneNumberWhateverTheOutcome() {
    TorchRandom random = TorchRandom.ofSeed(5);
    TorchRandom other = TorchRandom.ofSeed(5);

    RandomHorizontalFlip.of(0).apply(TestImage.image(3, 3), random);
    RandomHorizontalFlip.of(1).apply(TestImage.image(3, 3), other);

    assertThat(random.nextInt()).isEqualTo(other.nextInt());
  }
}
