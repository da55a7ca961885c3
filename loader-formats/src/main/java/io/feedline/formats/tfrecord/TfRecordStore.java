package io.feedline.formats.tfrecord;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.internal.DatasetStore;
import io.feedline.formats.store.internal.Keys;
import io.feedline.formats.store.internal.ShardIdentity;
import io.feedline.formats.store.internal.ShardedStore;
import java.io.IOException;
import java.nio.file.Path;

/** The images in the examples of TFRecord files. */
final class TfRecordStore extends DatasetStore<TfRecordDataset> implements ShardedStore {

  private final ImageReader reader;
  private final String name;

  /**
   * Images over records.
   *
   * @param records closed with this
   */
  TfRecordStore(TfRecordDataset records, ImageReader reader, String name) {
    super(records, reader.classes().names());
    this.reader = reader;
    this.name = name;
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    Example example = samples().example(index);
    try {
      return reader.read(example, Keys.padded(index, size()));
    } catch (FormatException broken) {
      throw broken.at(describe(index));
    }
  }

  /** The first shard, or the directory of the list of shards. */
  @Override
  public Path path() {
    return samples().anyFile();
  }

  @Override
  public Path path(long index) {
    return samples().path(index);
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

  /** Compares size and hash of the shards with their list, if they have one. */
  @Override
  public void checkStructure() throws IOException {
    samples().checkShards();
  }

  @Override
  public ShardIdentity shard(int number) throws IOException {
    return samples().identity(number);
  }

  @Override
  public long[] shardSizes() {
    return samples().shardSizes();
  }
}
