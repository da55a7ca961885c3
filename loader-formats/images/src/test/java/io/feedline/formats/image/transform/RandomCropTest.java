package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomCropTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomCrop.builder(20, 30).padding(4).padIfNeeded(true).build();
  }

  @Test
  void shouldDecodeOnlyThePartItTakes() throws Exception {
    CountingSource source = new CountingSource(300, 200);

    RandomCrop.builder(20, 30)
        .padding(4)
        .build()
        .apply(source.image(), TorchRandom.ofSeed(1))
        .pixels();

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

  @Test
  void shouldTellItsConfiguration() {
    RandomCrop crop =
        RandomCrop.builder(20, 30).padding(1, 2, 3, 4).padIfNeeded(true).fill(1, 2, 3).build();

    assertThat(crop.height()).isEqualTo(20);
    assertThat(crop.width()).isEqualTo(30);
    assertThat(crop.padIfNeeded()).isTrue();
    assertThat(crop.padding()).hasToString("Pad(1, 2, 3, 4 constant #010203)");
    assertThat(RandomCrop.builder(5).mode(PaddingMode.EDGE).build().padding().mode())
        .isEqualTo(PaddingMode.EDGE);
    assertThat(crop)
        .hasToString(
            "RandomCrop(height=20, width=30, padding=1, 2, 3, 4 constant #010203,"
                + " padIfNeeded=true)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomCrop.of(0)).hasMessageContaining("height");
    assertThatThrownBy(() -> RandomCrop.of(1, 0)).hasMessageContaining("width");
    assertThatThrownBy(() -> RandomCrop.builder(5).padding(-1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("padding");
    assertThatThrownBy(() -> RandomCrop.builder(5).fill(0, 0, 9).mode(PaddingMode.EDGE).build())
        .hasMessageContaining("edge");
  }
}
