package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import org.junit.jupiter.api.Test;

class ElasticTransformTest {

  @Test
  void shouldLeavePixelsInTheirPlaceAtAnAlphaOfZero() throws Exception {
    Image image = TestImage.noise(31, 17);

    Image still = ElasticTransform.of(0, 3).apply(image, TorchRandom.ofSeed(1));

    assertThat(still.pixels().rgb()).isEqualTo(image.pixels().rgb());
  }

  @Test
  void shouldDrawTwoNumbersForEachPixel() {
    TorchRandom random = TorchRandom.ofSeed(1);

    ElasticTransform.of().apply(TestImage.image(31, 17), random);

    assertThat(random.words()).isEqualTo(2 * 31 * 17);
  }
}
