package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

class RandomPosterizeTest extends RandomOperationContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomPosterize.of(3);
  }

  @Override
  RandomTransform<Image, Image> transform(double probability) {
    return RandomPosterize.of(3, probability);
  }
}
