package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

class TrivialAugmentWideTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return TrivialAugmentWide.of();
  }
}
