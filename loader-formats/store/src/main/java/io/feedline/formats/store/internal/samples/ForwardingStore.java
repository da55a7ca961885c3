package io.feedline.formats.store.internal.samples;

import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

public abstract class ForwardingStore implements ImageStore {

  private final ImageStore store;

  protected ForwardingStore(ImageStore store) {
    this.store = store;
  }

  public final ImageStore store() {
    return store;
  }

  @Override
  public long size() {
    return store.size();
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    return store.read(index);
  }

  /** Returns an empty result, since a view would bypass an overridden {@link #read}. */
  @Override
  public Optional<StoredImage> view(long index) {
    return Optional.empty();
  }

  @Override
  public Optional<StoredImage> locate(long index) {
    return Optional.empty();
  }

  @Override
  public long byteSize(EncodedImage image) {
    return store.byteSize(image);
  }

  @Override
  public boolean prefersReadAhead() {
    return store.prefersReadAhead();
  }

  @Override
  public Optional<FileRange> range(long index) {
    return store.range(index);
  }

  @Override
  public List<FileRange> parts(long index) {
    return store.parts(index);
  }

  @Override
  public Closeable openRange(FileRange range) throws IOException {
    return store.openRange(range);
  }

  @Override
  public int label(long index) throws IOException {
    return store.label(index);
  }

  @Override
  public String key(long index) throws IOException {
    return store.key(index);
  }

  @Override
  public List<String> classes() {
    return store.classes();
  }

  @Override
  public Map<String, Integer> classToIndex() {
    return store.classToIndex();
  }

  @Override
  public Path path() {
    return store.path();
  }

  @Override
  public Path path(long index) {
    return store.path(index);
  }

  @Override
  public String describe(long index) {
    return store.describe(index);
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public String fingerprint() {
    return store.fingerprint();
  }

  @Override
  public void checkStructure() throws IOException {
    store.checkStructure();
  }

  @Override
  public long[] shardSizes() {
    return store.shardSizes();
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
