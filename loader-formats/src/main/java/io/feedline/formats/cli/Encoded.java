package io.feedline.formats.cli;

import io.feedline.Dataset;
import io.feedline.formats.image.EncodedPicture;
import io.feedline.formats.image.PictureDataset;
import java.io.IOException;

/** The pictures of a store as they are stored, as a dataset with the store's names in errors. */
record Encoded(PictureDataset pictures) implements Dataset<EncodedPicture> {

  static Dataset<EncodedPicture> of(PictureDataset pictures) {
    return new Encoded(pictures);
  }

  @Override
  public long size() {
    return pictures.size();
  }

  @Override
  public EncodedPicture get(long index) throws IOException {
    return pictures.encoded(index);
  }

  @Override
  public String describe(long index) {
    return pictures.describe(index);
  }

  @Override
  public String name() {
    return pictures.name();
  }

  @Override
  public String fingerprint() {
    return pictures.fingerprint();
  }
}
