package io.feedline.formats.cli.internal.command;

import io.feedline.data.Dataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.internal.samples.NumberedKeys;

/** The kinds of keys that images get when they are written. */
public enum KeyKind {
  /** The image's own key: the file's name without its extension. */
  STEM,

  /** The file's name with its extension, by {@link EncodedImage#withFileNameAsKey}. */
  FILE,

  /** The image's number, padded with zeros to the digits of the last image's number. */
  INDEX;

  public Dataset<EncodedImage> apply(Dataset<EncodedImage> images) {
    long size = images.size();
    return switch (this) {
      case STEM -> images;
      case FILE -> images.map(EncodedImage::withFileNameAsKey);
      case INDEX ->
          images.zip(
              Dataset.<Long>of(size, index -> index),
              (image, number) -> image.withKey(NumberedKeys.padded(number, size)));
    };
  }

  @Override
  public String toString() {
    return Output.name(this);
  }
}
