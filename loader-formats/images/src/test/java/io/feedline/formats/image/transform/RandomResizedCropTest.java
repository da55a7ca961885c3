package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class RandomResizedCropTest {

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
    RandomResizedCrop tooLarge = RandomResizedCrop.of(8).withScale(2, 3);

    assertThat(tooLarge.draw(100, 10, TorchRandom.ofSeed(1))).isEqualTo(new Region(43, 0, 13, 10));
    assertThat(tooLarge.draw(10, 100, TorchRandom.ofSeed(1))).isEqualTo(new Region(0, 43, 10, 13));
    assertThat(tooLarge.draw(50, 60, TorchRandom.ofSeed(1))).isEqualTo(new Region(0, 0, 50, 60));
  }

  @Test
  void shouldTakeAtLeastOnePixelOfAThinImage() {
    RandomResizedCrop wide = RandomResizedCrop.of(8).withScale(2, 3).withRatio(5, 6);

    assertThat(wide.draw(1, 90, TorchRandom.ofSeed(1))).isEqualTo(new Region(0, 44, 1, 1));
  }
}
