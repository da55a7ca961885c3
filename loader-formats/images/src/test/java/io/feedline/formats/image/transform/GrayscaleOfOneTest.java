package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

/** Grayscale with one channel; {@link ModesTest} compares its pixels with torchvision's. */
class GrayscaleOfOneTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomTransform.from(Grayscale.of(1));
  }
}
