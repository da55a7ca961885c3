package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomZoomOutTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomZoomOut.of();
  }

  @Test
  void shouldKeepTheImageWhole() throws Exception {
    Image image = Image.ofRgb(new byte[] {1, 2, 3, 4, 5, 6}, 2, 1);
    RandomZoomOut zoom = RandomZoomOut.builder().probability(1).build();
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
  void shouldTellItsConfiguration() {
    RandomZoomOut zoom =
        RandomZoomOut.builder().sideRange(1.5, 3).fill(1, 2, 3).probability(0.1).build();

    assertThat(zoom.minSide()).isEqualTo(1.5);
    assertThat(zoom.maxSide()).isEqualTo(3);
    assertThat(zoom.fill()).isEqualTo(0x010203);
    assertThat(zoom.probability()).isEqualTo(0.1);
    assertThat(RandomZoomOut.of())
        .hasToString("RandomZoomOut(sideRange=1.0..4.0, fill=#000000, probability=0.5)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    RandomZoomOut.Builder builder = RandomZoomOut.builder();
    assertThatThrownBy(() -> builder.sideRange(0.5, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sideRange")
        .hasMessageEndingWith("was 0.5 to 2.0");
    assertThatThrownBy(() -> builder.fill(0, 0, 256)).hasMessageEndingWith("was 0, 0, 256");
    assertThatThrownBy(() -> builder.probability(-1)).hasMessageEndingWith("was -1.0");
  }

  @Test
  void shouldRefuseACanvasThatIsTooLarge() {
    RandomZoomOut far =
        RandomZoomOut.builder().sideRange(Image.MAX_SIDE, Image.MAX_SIDE).probability(1).build();

    assertThatThrownBy(() -> far.apply(TestImage.image(3, 3), TorchRandom.ofSeed(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(Image.MAX_SIDE));
  }
}
