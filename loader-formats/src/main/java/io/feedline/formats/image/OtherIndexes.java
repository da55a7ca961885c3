package io.feedline.formats.image;

import io.feedline.Dataset;
import io.feedline.formats.jpeg.ScanIndexStore;
import java.io.IOException;

/**
 * Pictures whose scan indexes are not kept where their dataset would keep them.
 *
 * @param pictures where all the rest comes from
 * @param indexes where the indexes are kept
 */
record OtherIndexes(PictureDataset pictures, ScanIndexStore indexes)
    implements Dataset<LabeledImage> {

  static LabeledImage get(PictureDataset pictures, long index, ScanIndexStore indexes)
      throws IOException {
    EncodedPicture picture = pictures.encoded(index);
    return new LabeledImage(
        Image.ofEncoded(
            picture.bytes(),
            pictures.describe(index),
            pictures.decodeOptions(),
            indexes.place(index)),
        picture.label());
  }

  @Override
  public LabeledImage get(long index) throws IOException {
    return get(pictures, index, indexes);
  }

  @Override
  public long size() {
    return pictures.size();
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
