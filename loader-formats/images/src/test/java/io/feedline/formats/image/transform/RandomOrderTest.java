package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomOrderTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomTransform.inRandomOrder(
        RandomHorizontalFlip.of(), RandomRotation.of(30), ColorJitter.of(0.4, 0.4, 0.4, 0.1));
  }

  @Test
  void shouldTellItsTransformsAndRefuseNone() {
    assertThat(RandomTransform.inRandomOrder(RandomHorizontalFlip.of(0.5)))
        .hasToString("RandomOrder([RandomHorizontalFlip(probability=0.5)])");
    assertThatThrownBy(() -> RandomTransform.<Image>inRandomOrder())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there must be a transform to apply, was []");
  }
}
