package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Region;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomVerticalFlipTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomVerticalFlip.of(0.5);
  }

  @Test
  void shouldActAlwaysOrNeverAtTheLimits() throws Exception {
    TorchRandom random = TorchRandom.ofSeed(5);
    Image image = Image.ofRgb(new byte[] {1, 2, 3, 4, 5, 3}, 1, 2);

    for (int i = 0; i < 200; i++) {
      assertThat(RandomVerticalFlip.of(1).apply(image, random).pixels().rgb())
          .containsExactly(4, 5, 3, 1, 2, 3);
      assertThat(RandomVerticalFlip.of(0).apply(image, random)).isSameAs(image);
    }
  }

  @Test
  void shouldDrawOneNumberWhateverTheOutcome() {
    TorchRandom random = TorchRandom.ofSeed(5);
    TorchRandom other = TorchRandom.ofSeed(5);

    RandomVerticalFlip.of(0).apply(TestImage.image(3, 3), random);
    RandomVerticalFlip.of(1).apply(TestImage.image(3, 3), other);

    assertThat(random.nextInt()).isEqualTo(other.nextInt());
  }

  @Test
  void shouldDecodeOnlyThePartThatIsCut() throws Exception {
    CountingSource source = new CountingSource(30, 20);

    RandomVerticalFlip.of(1)
        .apply(source.image(), TorchRandom.ofSeed(1))
        .crop(new Region(3, 4, 5, 6))
        .pixels();

    assertThat(source.lastRegion()).isEqualTo(new Region(3, 10, 5, 6));
  }
}
