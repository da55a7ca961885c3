package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

class RandomResizeTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return Resize.random(5, 50);
  }
}
