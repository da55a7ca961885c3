package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

class RandomAffineTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomAffine.of(20).withTranslate(0.2, 0.1).withScale(0.5, 2).withShear(10);
  }
}
