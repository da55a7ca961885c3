package io.feedline.formats.tfrecord;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.internal.samples.NumberedKeys;
import io.feedline.formats.store.internal.shards.ShardFilesStore;
import java.io.IOException;

/** The images in the examples of TFRecord files. */
final class TfRecordStore extends ShardFilesStore<TfRecordDataset> {

  private final ImageReader reader;
  private final String name;

  /**
   * Images over records.
   *
   * @param records closed with this
   */
  TfRecordStore(TfRecordDataset records, ImageReader reader, String name) {
    super(records, reader.classes().names(), records.chosen(), records.numbers(), records.opened());
    this.reader = reader;
    this.name = name;
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    Example example = samples().example(index);
    try {
      return reader.read(example, NumberedKeys.padded(index, size()));
    } catch (FormatException broken) {
      throw broken.at(describe(index));
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String fingerprint() {
    return fingerprint(reader, samples().fingerprint());
  }

  /** Named as in the first version: checkpoints and scan indexes are bound to it. */
  static String fingerprint(ImageReader reader, String records) {
    return "TfRecordPictures:" + reader.classes().firstLabel() + ":" + records;
  }
}
