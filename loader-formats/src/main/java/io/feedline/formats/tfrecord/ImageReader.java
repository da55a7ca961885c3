package io.feedline.formats.tfrecord;

import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.support.ClassList;

/**
 * Makes images of examples.
 *
 * @param features what they are called
 * @param classes their names, perhaps none, and the label of the first
 */
record ImageReader(ImageFeatures features, ClassList classes) {

  /**
   * The image in an example.
   *
   * @param number the key of an image without a file name
   */
  EncodedImage read(Example example, long number) throws TfRecordException {
    byte[] bytes = example.bytes(features.encoded());
    int label =
        features.label() == null ? EncodedImage.NO_LABEL : label(example.int64(features.label()));
    return new EncodedImage(key(example, number), bytes, label);
  }

  private String key(Example example, long number) throws TfRecordException {
    if (!example.has(features.filename())) {
      return Long.toString(number);
    }
    String name = example.text(features.filename());
    int dot = name.lastIndexOf('.');
    return dot > name.lastIndexOf('/') + 1 ? name.substring(0, dot) : name;
  }

  private int label(long stored) throws TfRecordException {
    if (stored == EncodedImage.NO_LABEL || (stored >= 0 && stored < classes.firstLabel())) {
      return EncodedImage.NO_LABEL;
    }
    long label = stored - classes.firstLabel();
    long end = classes.names().isEmpty() ? Integer.MAX_VALUE : classes.names().size();
    if (label < 0 || label >= end) {
      throw new TfRecordException(
          "feature %s is %d; labels begin with %d, and there are %s classes"
              .formatted(
                  features.label(),
                  stored,
                  classes.firstLabel(),
                  classes.names().isEmpty() ? "at most 2^31 - 1" : end));
    }
    return (int) label;
  }
}
