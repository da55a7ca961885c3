package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomGrayscaleTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomGrayscale.of(0.5);
  }

  @Test
  void shouldActAlwaysOrNeverAtTheLimits() throws Exception {
    TorchRandom random = TorchRandom.ofSeed(5);
    Image image = Image.ofRgb(new byte[] {1, 2, 3, 4, 5, 3}, 1, 2);

    for (int i = 0; i < 200; i++) {
      assertThat(RandomGrayscale.of(1).apply(image, random).pixels().rgb())
          .containsExactly(2, 2, 2, 4, 4, 4);
      assertThat(RandomGrayscale.of(0).apply(image, random)).isSameAs(image);
    }
  }

  @Test
  void shouldLeaveTheNumberOfChannelsAlone() {
    for (ImageMode mode : List.of(ImageMode.GRAY, ImageMode.RGB, ImageMode.RGBA)) {
      Image image = TestImage.noise(mode, 3, 3);
      assertThat(RandomGrayscale.of(1).apply(image, TorchRandom.ofSeed(5)).mode()).isEqualTo(mode);
    }
  }

  @Test
  void shouldDrawOneNumberWhateverTheOutcome() {
    TorchRandom random = TorchRandom.ofSeed(5);
    TorchRandom other = TorchRandom.ofSeed(5);

    RandomGrayscale.of(0).apply(TestImage.image(3, 3), random);
    RandomGrayscale.of(1).apply(TestImage.image(3, 3), other);

    assertThat(random.nextInt()).isEqualTo(other.nextInt());
  }
}
