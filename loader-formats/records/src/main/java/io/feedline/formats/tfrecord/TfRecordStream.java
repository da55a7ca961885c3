package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.internal.Cancellation;
import java.io.IOException;

record TfRecordStream<T>(TfRecordFiles files, Maker<T> maker, String name, String fingerprint)
    implements IterableDataset<T> {

  @FunctionalInterface
  interface Maker<T> {
    T make(byte[] record, String place) throws IOException;
  }

  @Override
  public int shards() {
    return files.files().size();
  }

  @Override
  public String describe(int shard) {
    return files.files().get(shard).toString();
  }

  @Override
  public SampleStream<T> open(int shard, long epoch) throws IOException {
    TfRecordReader reader =
        TfRecordReader.open(
            files.files().get(shard), files.verifyChecksums(), files.maxSampleBytes());
    return new OpenShard<>(reader, maker);
  }

  @Override
  public String toString() {
    return name;
  }

  private record OpenShard<T>(TfRecordReader reader, Maker<T> maker) implements SampleStream<T> {

    @Override
    public PendingSample<T> next() throws IOException {
      String place = reader.describe();
      byte[] record = reader.next();
      return record == null ? null : context -> maker.make(record, place);
    }

    @Override
    public long skip(long samples) throws IOException, InterruptedException {
      for (long skipped = 0; skipped < samples; skipped++) {
        Cancellation.check();
        try {
          if (!reader.skip()) {
            return skipped;
          }
        } catch (FormatException cutOff) {
          // When the epoch was first read, this failure was delivered as its last sample.
          return skipped + 1;
        }
      }
      return samples;
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
