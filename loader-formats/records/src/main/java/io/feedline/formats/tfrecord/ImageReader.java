package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.internal.samples.ClassList;
import java.io.IOException;

record ImageReader(ImageFeatures features, ClassList classes) {

  private static final byte[] NO_BYTES = {};

  /** Reads the image of an example; {@code key} is the key of an image without a file name. */
  EncodedImage read(Example example, String key) throws FormatException {
    require(example, features.encoded());
    return image(example, example.bytes(features.encoded()), label(example), key);
  }

  private static void require(Example example, String name) throws FormatException {
    if (!example.has(name)) {
      throw new FormatException(
          "there is no feature %s; there are %s. The options image-field and label-field (imageField, labelField) name them"
              .formatted(name, example.names()));
    }
  }

  LabeledImage labeled(byte[] record, String place, DecodeOptions options) throws IOException {
    EncodedImage image;
    try {
      image = read(Example.parse(record), place);
    } catch (FormatException broken) {
      throw broken.at(place);
    }
    return new LabeledImage(Image.ofEncoded(image.bytes(), place, options), image.label());
  }

  String key(Example example, String key) throws FormatException {
    return image(example, NO_BYTES, EncodedImage.NO_LABEL, key).key();
  }

  private EncodedImage image(Example example, byte[] bytes, int label, String key)
      throws FormatException {
    return example.has(features.filename())
        ? EncodedImage.ofFile(example.text(features.filename()), bytes, label)
        : new EncodedImage(key, bytes, label);
  }

  int label(Example example) throws FormatException {
    if (features.label() == null) {
      return EncodedImage.NO_LABEL;
    }
    require(example, features.label());
    long stored = example.int64(features.label());
    try {
      return classes.index(stored);
    } catch (FormatException noClass) {
      throw noClass.at("feature " + features.label());
    }
  }
}
