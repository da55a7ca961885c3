package io.feedline.formats.store.internal.samples;

import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

public abstract class DatasetStore<D extends ReadAheadDataset<?> & Closeable>
    implements ImageStore {

  /** The size of the smallest record for which reading in parts saves time. */
  private static final int LEAST_BYTES_IN_PARTS = 1 << 16;

  private final D samples;
  private final List<String> classes;
  private volatile boolean records;

  /** Takes the dataset, which this store closes, and the classes' names, empty if not known. */
  protected DatasetStore(D samples, List<String> classes) {
    this.samples = samples;
    this.classes = List.copyOf(classes);
  }

  protected final D samples() {
    return samples;
  }

  protected final EncodedImage noted(EncodedImage image) {
    if (image.format().isRecord() && image.bytes().length >= LEAST_BYTES_IN_PARTS) {
      records = true;
    }
    return image;
  }

  /** Returns whether a read image was a record so large that its parts are worth viewing alone. */
  protected final boolean hasRecords() {
    return records;
  }

  @Override
  public final long size() {
    return samples.size();
  }

  @Override
  public final List<String> classes() {
    return classes;
  }

  @Override
  public final String describe(long index) {
    return samples.describe(index);
  }

  @Override
  public final Optional<FileRange> range(long index) {
    return samples.range(index);
  }

  @Override
  public final List<FileRange> parts(long index) {
    return samples.parts(index);
  }

  @Override
  public final Closeable openRange(FileRange range) throws IOException {
    return samples.openRange(range);
  }

  @Override
  public final void close() throws IOException {
    samples.close();
  }
}
