package io.feedline.formats.image;

import java.util.Objects;

/**
 * An image and where it comes from, without a label: a sample of {@link ImageDataset#named}. In a
 * batch the two become the tensor {@code image} and the values {@code name}. Immutable and
 * thread-safe.
 *
 * @param image the image, not yet decoded
 * @param name its file's path; in packed data its file and its key or place there
 */
public record NamedImage(Image image, String name) {

  /** Checks that both are there. */
  public NamedImage {
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(name, "name");
  }
}
