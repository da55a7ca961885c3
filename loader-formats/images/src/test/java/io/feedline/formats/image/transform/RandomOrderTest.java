package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

class RandomOrderTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomTransform.inRandomOrder(
        RandomHorizontalFlip.of(), RandomRotation.of(30), ColorJitter.of(0.4, 0.4, 0.4, 0.1));
  }
}
