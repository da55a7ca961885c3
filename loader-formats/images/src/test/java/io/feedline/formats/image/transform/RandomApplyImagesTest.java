package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.transform.RandomApply;
import io.feedline.transform.RandomChoice;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import org.junit.jupiter.api.Test;

class RandomApplyImagesTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomApply.of(
        RandomChoice.of(ColorJitter.of(0.4, 0.4, 0.4, 0.1), GaussianBlur.of(3)), 0.8);
  }

  @Test
  void shouldApplyBothChoicesInTime() throws Exception {
    boolean jittered = false;
    boolean blurred = false;
    for (int index = 0; index < 50; index++) {
      Image result = transform().apply(TestImage.image(9, 9), new SampleRandom(1, 0, index, 0));
      jittered |= result.toString().contains("brightness");
      blurred |= result.toString().contains("blur");
    }

    assertThat(jittered).isTrue();
    assertThat(blurred).isTrue();
  }
}
