package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class RandomCropTest {

  @Test
  void shouldDecodeOnlyThePartItTakes() throws Exception {
    CountingSource source = new CountingSource(300, 200);

    RandomCrop.of(20, 30).withPadding(4).apply(source.image(), TorchRandom.ofSeed(1)).pixels();

    assertThat(source.lastRegion().width()).isEqualTo(30);
    assertThat(source.lastRegion().height()).isEqualTo(20);
  }

  @Test
  void shouldDrawNothingForAnImageOfItsSize() {
    TorchRandom random = TorchRandom.ofSeed(4);
    Image image = TestImage.image(30, 20);

    assertThat(RandomCrop.of(20, 30).apply(image, random)).isSameAs(image);
    assertThat(random.nextInt()).isEqualTo(TorchRandom.ofSeed(4).nextInt());
  }

  @Test
  void shouldRefuseAnImageThatIsTooSmall() {
    assertThatThrownBy(
            () -> RandomCrop.of(32).apply(TestImage.image(40, 30), TorchRandom.ofSeed(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("32 x 32")
        .hasMessageContaining("40 x 30");
  }
}
