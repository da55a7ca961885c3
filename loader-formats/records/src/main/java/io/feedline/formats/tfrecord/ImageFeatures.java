package io.feedline.formats.tfrecord;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The names of an image's features; {@code label} is null if images have no labels. */
record ImageFeatures(String encoded, @Nullable String label, String filename) {

  /** The names in TensorFlow's scripts for ImageNet; label 0 is a background there. */
  static final ImageFeatures IMAGENET =
      new ImageFeatures("image/encoded", "image/class/label", "image/filename");

  ImageFeatures {
    Objects.requireNonNull(encoded, "encoded");
    Objects.requireNonNull(filename, "filename");
  }
}
