package io.feedline.formats.image.transform;

import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Image;

/** A method that returns the boxes of an image, for transforms that require boxes. */
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
