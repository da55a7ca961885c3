package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

class RandomAdjustSharpnessTest extends RandomOperationContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomAdjustSharpness.of(2);
  }

  @Override
  RandomTransform<Image, Image> transform(double probability) {
    return RandomAdjustSharpness.of(2, probability);
  }
}
