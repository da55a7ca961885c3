package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

class RandomEqualizeTest extends RandomOperationContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomEqualize.of();
  }

  @Override
  RandomTransform<Image, Image> transform(double probability) {
    return RandomEqualize.of(probability);
  }
}
