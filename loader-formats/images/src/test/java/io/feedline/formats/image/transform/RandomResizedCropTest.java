package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomResizedCropTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomResizedCrop.of(32);
  }

  @Test
  void shouldDecodeOnlyThePartItTakes() throws Exception {
    CountingSource source = new CountingSource(300, 200);
    RandomResizedCrop transform = RandomResizedCrop.of(32);
    Region part = transform.draw(300, 200, TorchRandom.ofSeed(1));

    transform.apply(source.image(), TorchRandom.ofSeed(1)).pixels();

    assertThat(part).isNotEqualTo(new Region(0, 0, 300, 200));
    assertThat(source.lastRegion()).isEqualTo(part);
  }

  @Test
  void shouldTakeTheMiddleWhenNothingFits() {
    RandomResizedCrop tooLarge = RandomResizedCrop.builder(8).scale(2, 3).build();

    assertThat(tooLarge.draw(100, 10, TorchRandom.ofSeed(1))).isEqualTo(new Region(43, 0, 13, 10));
    assertThat(tooLarge.draw(10, 100, TorchRandom.ofSeed(1))).isEqualTo(new Region(0, 43, 10, 13));
    assertThat(tooLarge.draw(50, 60, TorchRandom.ofSeed(1))).isEqualTo(new Region(0, 0, 50, 60));
  }

  @Test
  void shouldTakeAtLeastOnePixelOfAThinImage() {
    RandomResizedCrop wide = RandomResizedCrop.builder(8).scale(2, 3).ratio(5, 6).build();

    assertThat(wide.draw(1, 90, TorchRandom.ofSeed(1))).isEqualTo(new Region(0, 44, 1, 1));
  }

  @Test
  void shouldTellItsConfiguration() {
    RandomResizedCrop transform =
        RandomResizedCrop.builder(20, 30)
            .scale(0.5, 1)
            .ratio(1, 2)
            .interpolation(Interpolation.BOX)
            .build();

    assertThat(transform.height()).isEqualTo(20);
    assertThat(transform.width()).isEqualTo(30);
    assertThat(transform.minScale()).isEqualTo(0.5);
    assertThat(transform.maxScale()).isEqualTo(1);
    assertThat(transform.minRatio()).isEqualTo(1);
    assertThat(transform.maxRatio()).isEqualTo(2);
    assertThat(transform.interpolation()).isEqualTo(Interpolation.BOX);
    assertThat(transform)
        .hasToString(
            "RandomResizedCrop(height=20, width=30, scale=0.5..1.0, ratio=1.0..2.0,"
                + " interpolation=box)");
  }

  @Test
  void shouldHaveTheDefaultsOfTorchvision() {
    RandomResizedCrop transform = RandomResizedCrop.of(224);

    assertThat(transform.minScale()).isEqualTo(0.08);
    assertThat(transform.maxScale()).isEqualTo(1);
    assertThat(transform.minRatio()).isEqualTo(0.75);
    assertThat(transform.maxRatio()).isEqualTo(4.0 / 3);
    assertThat(transform.interpolation()).isEqualTo(Interpolation.BILINEAR);
  }

  @Test
  void shouldRejectRangesOutOfOrder() {
    assertThatThrownBy(() -> RandomResizedCrop.builder(8).scale(1, 0.5).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("scale must be positive and in order, was 1.0 to 0.5");
    assertThatThrownBy(() -> RandomResizedCrop.builder(8).ratio(0, 1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ratio");
    assertThatThrownBy(() -> RandomResizedCrop.builder(8).scale(0.1, Double.NaN).build())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RandomResizedCrop.of(0)).hasMessageContaining("height");
  }
}
