package io.feedline.formats.image;

import java.util.Objects;

/**
 * An image as it is stored, and its class: what a record of a packed format holds. It goes from
 * one format to another without being decoded.
 *
 * @param key the image's name in its dataset, without the file name's extension: a path below the
 *     root for a folder, the key for a format that has keys, the number in decimal for one that has
 *     none
 * @param bytes the whole encoded image; neither copied nor to be changed
 * @param label the index of its class, 0 or more, or {@link #NO_LABEL}
 */
public record EncodedImage(String key, byte[] bytes, int label) {

  /** The label of an image without a class. */
  public static final int NO_LABEL = -1;

  /**
   * Checks the label.
   *
   * @throws IllegalArgumentException if it is less than -1
   */
  public EncodedImage {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(bytes, "bytes");
    if (label < NO_LABEL) {
      throw new IllegalArgumentException("a label must be 0 or more, or -1 for none, was " + label);
    }
  }
}
