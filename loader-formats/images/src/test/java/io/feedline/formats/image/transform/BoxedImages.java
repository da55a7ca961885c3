package io.feedline.formats.image.transform;

import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.TestTargets;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/** A transform that looks at boxes, given images with boxes. */
record BoxedImages(RandomTransform<Image, Image> transform)
    implements RandomTransform<Image, Image> {

  private record Boxed(Image image, BoundingBoxes boxes) {}

  @Override
  public Image apply(Image image, RandomGenerator random) throws Exception {
    Boxed boxed = new Boxed(image, TestTargets.boxes(image.width(), image.height()));
    return JointTransform.<Boxed>of(transform).apply(boxed, random).image();
  }

  @Override
  public String toString() {
    return transform.toString();
  }
}
