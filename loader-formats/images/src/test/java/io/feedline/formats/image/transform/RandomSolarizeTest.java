package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

class RandomSolarizeTest extends RandomOperationContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomSolarize.of(100);
  }

  @Override
  RandomTransform<Image, Image> transform(double probability) {
    return RandomSolarize.of(100, probability);
  }
}
