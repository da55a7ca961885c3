package io.feedline.formats.image;

import io.feedline.Dataset;
import java.io.IOException;

/**
 * Images whose scan indexes are not kept where their dataset would keep them.
 *
 * @param images where all the rest comes from
 * @param indexes where the indexes are kept
 */
record OtherIndexes(ImageDataset images, ScanIndexStore indexes)
    implements Dataset<LabeledImage> {

  static LabeledImage get(ImageDataset images, long index, ScanIndexStore indexes)
      throws IOException {
    EncodedImage image = images.encoded(index);
    return new LabeledImage(
        Image.ofEncoded(
            image.bytes(),
            images.describe(index),
            images.decodeOptions(),
            indexes.place(index)),
        image.label());
  }

  @Override
  public LabeledImage get(long index) throws IOException {
    return get(images, index, indexes);
  }

  @Override
  public long size() {
    return images.size();
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
