package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

class RandomInvertTest extends RandomOperationContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomInvert.of();
  }

  @Override
  RandomTransform<Image, Image> transform(double probability) {
    return RandomInvert.of(probability);
  }
}
