package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandAugmentTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandAugment.of(3, 14);
  }

  @Test
  void shouldDecodeOnceForAllItsOperations() throws Exception {
    for (int seed = 0; seed < 50; seed++) {
      CountingSource source = new CountingSource(30, 20);

      RandAugment.of(6, 9).apply(source.image(), TorchRandom.ofSeed(seed)).pixels();

      assertThat(source.decodes()).isEqualTo(1);
    }
  }

  @Test
  void shouldLeaveAnImageAloneWithoutOperations() {
    Image image = TestImage.image(5, 5);

    assertThat(RandAugment.of(0, 9).apply(image, TorchRandom.ofSeed(1))).isSameAs(image);
  }
}
