package io.feedline.formats.image.dataset;

import io.feedline.formats.image.Image;
import java.util.Objects;

/**
 * An image and its class: a sample of an {@link ImageDataset}, torchvision's {@code (image,
 * target)}. In a batch the images become the tensor {@code image}, the labels become {@code label},
 * INT64 of shape (n). Immutable and thread-safe.
 *
 * @param image the image, not yet decoded
 * @param label the index of the image's class; -1 if the image has no class
 */
public record LabeledImage(Image image, int label) {

  public LabeledImage {
    Objects.requireNonNull(image, "image");
  }

  /** Returns this label with another image. */
  public LabeledImage withImage(Image image) {
    return new LabeledImage(image, label);
  }

  /** Returns this image with another label. */
  public LabeledImage withLabel(int label) {
    return new LabeledImage(image, label);
  }
}
