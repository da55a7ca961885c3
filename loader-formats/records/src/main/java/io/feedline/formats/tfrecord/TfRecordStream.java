package io.feedline.formats.tfrecord;

import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import java.io.IOException;

/**
 * The records of TFRecord files as they are, each file a shard that is read from front to back:
 * TensorFlow's {@code TFRecordDataset}. It needs no index, and reads compressed files too.
 *
 * <p>A record whose data is damaged is an exception in its place, and the shard continues behind
 * it; after a damaged length the shard ends.
 *
 * <p>Immutable and thread-safe; holds nothing open but its streams, which their opener closes.
 */
record TfRecordStream(TfRecordFiles files) implements IterableDataset<byte[]> {

  @Override
  public int shards() {
    return files.files().size();
  }

  @Override
  public String describe(int shard) {
    return files.files().get(shard).toString();
  }

  /**
   * Opens a file.
   *
   * @throws IOException if it cannot be opened
   */
  @Override
  public SampleStream<byte[]> open(int shard, long epoch) throws IOException {
    return open(files, shard, (record, place) -> record);
  }

  static <T> SampleStream<T> open(TfRecordFiles files, int shard, ShardStream.Maker<T> maker)
      throws IOException {
    TfRecordReader reader =
        TfRecordReader.open(
            files.files().get(shard), files.verifyChecksums(), files.maxSampleBytes());
    return new ShardStream<>(reader, maker);
  }

  @Override
  public String fingerprint() {
    return "TfRecordStream:" + files.fingerprint();
  }

  @Override
  public String name() {
    return "TfRecordStream(" + files.name() + ")";
  }

  @Override
  public String toString() {
    return name();
  }
}
