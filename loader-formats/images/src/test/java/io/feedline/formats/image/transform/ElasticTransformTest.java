package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class ElasticTransformTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return ElasticTransform.of(200, 2);
  }

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

  @Test
  void shouldTellItsConfiguration() {
    ElasticTransform elastic =
        ElasticTransform.builder()
            .alpha(1, 2)
            .sigma(3, 4)
            .interpolation(Interpolation.NEAREST)
            .fill(1, 2, 3)
            .build();

    assertThat(elastic.alphaX()).isEqualTo(1);
    assertThat(elastic.alphaY()).isEqualTo(2);
    assertThat(elastic.sigmaX()).isEqualTo(3);
    assertThat(elastic.sigmaY()).isEqualTo(4);
    assertThat(elastic.interpolation()).isEqualTo(Interpolation.NEAREST);
    assertThat(elastic.fill()).isEqualTo(0x010203);
    assertThat(ElasticTransform.of())
        .hasToString(
            "ElasticTransform(alpha=(50.0, 50.0), sigma=(5.0, 5.0), interpolation=bilinear,"
                + " fill=#000000)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> ElasticTransform.of(-1, 5)).hasMessageContaining("alpha");
    assertThatThrownBy(() -> ElasticTransform.of(1, 512)).hasMessageContaining("sigma");
    assertThatThrownBy(() -> ElasticTransform.builder().sigma(0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("was (0.0, 1.0)");
    assertThatThrownBy(() -> ElasticTransform.builder().interpolation(Interpolation.BOX).build())
        .hasMessage("interpolation must be nearest, bilinear or bicubic, was box");
  }
}
