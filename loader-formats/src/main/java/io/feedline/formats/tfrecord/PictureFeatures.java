package io.feedline.formats.tfrecord;

import java.util.Objects;

/**
 * What the features of a picture are called. Immutable; begin with {@link #IMAGENET} or {@link
 * #TFDS} and change what differs.
 *
 * @param encoded the encoded picture: one value of bytes, which every record must have
 * @param label the index of its class: one integer, which every record must have; null where
 *     pictures have no labels
 * @param filename the picture's file name: one value of bytes; records may lack it
 */
public record PictureFeatures(String encoded, String label, String filename) {

  /**
   * {@code image/encoded}, {@code image/class/label}, {@code image/filename}, as TensorFlow's
   * scripts for ImageNet write them. There label 0 is a background and the classes begin with 1.
   */
  public static final PictureFeatures IMAGENET =
      new PictureFeatures("image/encoded", "image/class/label", "image/filename");

  /** {@code image}, {@code label}, {@code file_name}, as TensorFlow Datasets writes many. */
  public static final PictureFeatures TFDS = new PictureFeatures("image", "label", "file_name");

  /** Checks that there is a picture and a file name. */
  public PictureFeatures {
    Objects.requireNonNull(encoded, "encoded");
    Objects.requireNonNull(filename, "filename");
  }

  /** These names with another one for the encoded picture. */
  public PictureFeatures withEncoded(String encoded) {
    return new PictureFeatures(encoded, label, filename);
  }

  /** These names with another one for the label. */
  public PictureFeatures withLabel(String label) {
    return new PictureFeatures(encoded, Objects.requireNonNull(label, "label"), filename);
  }

  /** These names without one for the label: what is read has none. */
  public PictureFeatures withoutLabel() {
    return new PictureFeatures(encoded, null, filename);
  }

  /** These names with another one for the file name. */
  public PictureFeatures withFilename(String filename) {
    return new PictureFeatures(encoded, label, filename);
  }
}
