package io.feedline.formats.tfrecord;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.Keys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The images in the examples of TFRecord files. */
final class TfRecordStore implements ImageStore {

  private final TfRecordDataset records;
  private final ImageReader reader;
  private final String name;

  /**
   * Images over records.
   *
   * @param records closed with this
   */
  TfRecordStore(TfRecordDataset records, ImageReader reader, String name) {
    this.records = records;
    this.reader = reader;
    this.name = name;
  }

  @Override
  public long size() {
    return records.size();
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    Example example = records.example(index);
    try {
      return reader.read(example, Keys.padded(index, size()));
    } catch (FormatException broken) {
      throw broken.at(describe(index));
    }
  }

  @Override
  public List<String> classes() {
    return reader.classes().names();
  }

  /** The first shard. */
  @Override
  public Path path() {
    return records.files().get(0);
  }

  @Override
  public Path path(long index) {
    return records.path(index);
  }

  @Override
  public String describe(long index) {
    return records.describe(index);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String fingerprint() {
    return fingerprint(reader, records.fingerprint());
  }

  /** Named as in the first version: checkpoints and scan indexes are bound to it. */
  static String fingerprint(ImageReader reader, String records) {
    return "TfRecordPictures:" + reader.classes().firstLabel() + ":" + records;
  }

  @Override
  public long[] shardSizes() {
    return records.shardSizes();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
