package io.feedline.formats.cli.internal.command;

import io.feedline.data.Dataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.internal.samples.NumberedKeys;

/** The names that images get where they are written. */
public enum KeyKind {
  /** The key that they have: the file's name without its extension. */
  STEM {
    @Override
    public Dataset<EncodedImage> apply(Dataset<EncodedImage> images) {
      return images;
    }
  },

  /** With the extension as a part of the name, as {@link EncodedImage#withFileNameAsKey}. */
  FILE {
    @Override
    public Dataset<EncodedImage> apply(Dataset<EncodedImage> images) {
      return images.map(EncodedImage::withFileNameAsKey);
    }
  },

  /** The number of the image, with as many digits as the last one. */
  INDEX {
    @Override
    public Dataset<EncodedImage> apply(Dataset<EncodedImage> images) {
      Dataset<Long> numbers = Dataset.of(images.size(), index -> index);
      return images.zip(
          numbers, (image, number) -> image.withKey(NumberedKeys.padded(number, images.size())));
    }
  };

  public abstract Dataset<EncodedImage> apply(Dataset<EncodedImage> images);

  @Override
  public String toString() {
    return Output.name(this);
  }
}
