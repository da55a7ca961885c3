package io.feedline.formats.cli;

import io.feedline.Dataset;
import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageDataset;
import java.io.IOException;

/** The images of a store as they are stored, as a dataset with the store's names in errors. */
record Encoded(ImageDataset images) implements Dataset<EncodedImage> {

  static Dataset<EncodedImage> of(ImageDataset images) {
    return new Encoded(images);
  }

  @Override
  public long size() {
    return images.size();
  }

  @Override
  public EncodedImage get(long index) throws IOException {
    return images.encoded(index);
  }

  @Override
  public String describe(long index) {
    return images.describe(index);
  }

  @Override
  public String name() {
    return images.name();
  }

  @Override
  public String fingerprint() {
    return images.fingerprint();
  }
}
