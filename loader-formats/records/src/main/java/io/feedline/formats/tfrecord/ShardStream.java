package io.feedline.formats.tfrecord;

import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.formats.store.FormatException;
import java.io.IOException;

/** An open shard whose records become samples. */
final class ShardStream<T> implements SampleStream<T> {

  private final TfRecordReader reader;
  private final Maker<T> maker;

  /** Makes a sample, on the worker that took it. */
  @FunctionalInterface
  interface Maker<T> {
    /**
     * Makes a sample of a record.
     *
     * @param place file, record and offset, in words
     */
    T make(byte[] record, String place) throws IOException;
  }

  ShardStream(TfRecordReader reader, Maker<T> maker) {
    this.reader = reader;
    this.maker = maker;
  }

  @Override
  public PendingSample<T> next() throws IOException {
    String place = reader.describe();
    byte[] record = reader.next();
    return record == null ? null : context -> maker.make(record, place);
  }

  /** Goes from header to header. */
  @Override
  public long skip(long samples) throws IOException {
    for (long skipped = 0; skipped < samples; skipped++) {
      try {
        if (!reader.skip()) {
          return skipped;
        }
      } catch (FormatException cutOff) {
        // It took a sample's place when the epoch was first read, and nothing follows it.
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
