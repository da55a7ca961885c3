package io.feedline.formats.tfrecord;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The names of an image's features. Immutable; begin with {@link #IMAGENET} or {@link #TFDS} and
 * change what differs.
 *
 * @param encoded the encoded image: one value of bytes, which every record must have
 * @param label the index of its class: one integer, which every record must have; null where images
 *     have no labels
 * @param filename the image's file name: one value of bytes; records may lack it
 */
record ImageFeatures(String encoded, @Nullable String label, String filename) {

  /**
   * {@code image/encoded}, {@code image/class/label}, {@code image/filename}, as TensorFlow's
   * scripts for ImageNet write them. There label 0 is a background and the classes begin with 1.
   */
  public static final ImageFeatures IMAGENET =
      new ImageFeatures("image/encoded", "image/class/label", "image/filename");

  /** {@code image}, {@code label}, {@code file_name}, as TensorFlow Datasets writes many. */
  public static final ImageFeatures TFDS = new ImageFeatures("image", "label", "file_name");

  /** Checks that there is an image and a file name. */
  ImageFeatures {
    Objects.requireNonNull(encoded, "encoded");
    Objects.requireNonNull(filename, "filename");
  }

  /** These names with another one for the encoded image. */
  public ImageFeatures withEncoded(String encoded) {
    return new ImageFeatures(encoded, label, filename);
  }

  /** These names with another one for the label. */
  public ImageFeatures withLabel(String label) {
    return new ImageFeatures(encoded, Objects.requireNonNull(label, "label"), filename);
  }

  /** These names without one for the label: the images read are unlabeled. */
  public ImageFeatures withoutLabel() {
    return new ImageFeatures(encoded, null, filename);
  }

  /** These names with another one for the file name. */
  public ImageFeatures withFilename(String filename) {
    return new ImageFeatures(encoded, label, filename);
  }
}
