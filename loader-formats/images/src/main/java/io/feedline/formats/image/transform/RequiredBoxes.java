package io.feedline.formats.image.transform;

import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Image;

/** The check that an image has the boxes that a transform requires. */
final class RequiredBoxes {
  private RequiredBoxes() {}

  static BoundingBoxes of(Image image, Object transform) {
    return image
        .boxes()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s looks at boxes, and %s has none: apply it through JointTransform to samples with an entry of type BoundingBoxes"
                        .formatted(transform, image.description())));
  }
}
