package io.feedline.formats.image;

import java.util.Objects;

/**
 * A picture as it is stored, and its class: what a record of a packed format holds. It goes from
 * one format to another without being decoded.
 *
 * @param key the picture's name in its dataset, without the file name's extension: a path below the
 *     root for a folder, the key for a format that has keys, the number in decimal for one that has
 *     none
 * @param bytes the whole encoded picture; neither copied nor to be changed
 * @param label the index of its class, 0 or more, or {@link #NO_LABEL}
 */
public record EncodedPicture(String key, byte[] bytes, int label) {

  /** The label of a picture without a class. */
  public static final int NO_LABEL = -1;

  /**
   * Checks the label.
   *
   * @throws IllegalArgumentException if it is less than -1
   */
  public EncodedPicture {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(bytes, "bytes");
    if (label < NO_LABEL) {
      throw new IllegalArgumentException("a label must be 0 or more, or -1 for none, was " + label);
    }
  }
}
