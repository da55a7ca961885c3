package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class RandomZoomOutTest {

  @Test
  void shouldKeepTheImageWhole() throws Exception {
    Image image = Image.ofRgb(new byte[] {1, 2, 3, 4, 5, 6}, 2, 1);
    RandomZoomOut zoom = RandomZoomOut.of().withProbability(1);
    for (int seed = 0; seed < 50; seed++) {
      Image result = zoom.apply(image, TorchRandom.ofSeed(seed));

      assertThat(result.width()).isBetween(2, 8);
      assertThat(result.height()).isBetween(1, 4);
      int sum = 0;
      for (byte sample : result.pixels().rgb()) {
        sum += sample;
      }
      assertThat(sum).isEqualTo(21);
    }
  }

  @Test
  void shouldRefuseACanvasThatIsTooLarge() {
    RandomZoomOut far =
        RandomZoomOut.of().withSideRange(Image.MAX_SIDE, Image.MAX_SIDE).withProbability(1);

    assertThatThrownBy(() -> far.apply(TestImage.image(3, 3), TorchRandom.ofSeed(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(Image.MAX_SIDE));
  }
}
