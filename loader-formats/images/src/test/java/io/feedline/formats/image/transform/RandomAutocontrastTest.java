package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

class RandomAutocontrastTest extends RandomOperationContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomAutocontrast.of();
  }

  @Override
  RandomTransform<Image, Image> transform(double probability) {
    return RandomAutocontrast.of(probability);
  }
}
