package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Region;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class ColorJitterTest {

  @Test
  void shouldDecodeOnceForAllItsOperations() throws Exception {
    CountingSource source = new CountingSource(30, 20);

    ColorJitter jitter = ColorJitter.of(0.4, 0.4, 0.4, 0.1);
    Image twice = jitter.apply(jitter.apply(source.image(), random()), random());
    twice.pixels();

    assertThat(source.decodes()).isEqualTo(1);
  }

  @Test
  void shouldDecodeAPartAloneWhereThatIsEnough() throws Exception {
    CountingSource source = new CountingSource(30, 20);
    ColorJitter pointwise = ColorJitter.of(0.4, 0, 0.4, 0.1);

    pointwise.apply(source.image(), random()).crop(new Region(3, 4, 5, 6)).pixels();

    assertThat(source.lastRegion()).isEqualTo(new Region(3, 4, 5, 6));
  }

  @Test
  void shouldSeeTheWholeImageForItsContrast() throws Exception {
    CountingSource source = new CountingSource(30, 20);
    ColorJitter contrast = ColorJitter.of(0, 0.4, 0, 0);

    contrast.apply(source.image(), random()).crop(new Region(3, 4, 5, 6)).pixels();

    assertThat(source.lastRegion()).isEqualTo(new Region(0, 0, 30, 20));
  }

  @Test
  void shouldChangeTheCropThatStandsBeforeIt() throws Exception {
    CountingSource source = new CountingSource(30, 20);
    ColorJitter jitter = ColorJitter.of(0.4, 0.4, 0.4, 0.1);

    Image cropped = source.image().crop(new Region(3, 4, 5, 6)).flipHorizontal();
    Image expected = cropped.pixels().toImage();

    assertThat(jitter.apply(cropped, random()).pixels().rgb())
        .isEqualTo(jitter.apply(expected, random()).pixels().rgb());
    assertThat(source.lastRegion()).isEqualTo(new Region(3, 4, 5, 6));
  }

  @Test
  void shouldLeaveAnImageAloneByDefault() {
    Image image = TestImage.image(5, 5);

    assertThat(ColorJitter.of().apply(image, random())).isSameAs(image);
  }

  @Test
  void shouldKeepNormalizationAndType() throws Exception {
    Image normalized = Normalize.imagenet().apply(TestImage.image(5, 5));

    Image jittered = ColorJitter.of(1, 0, 0, 0).apply(normalized, random());

    assertThat(jittered).asString().contains("mean=[0.485, 0.456, 0.406]").contains("brightness");
  }

  private static TorchRandom random() {
    return TorchRandom.ofSeed(7);
  }
}
