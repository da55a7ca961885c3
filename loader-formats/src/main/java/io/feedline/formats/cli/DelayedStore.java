package io.feedline.formats.cli;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A store whose reads each take so much longer, as if it were far away: to try out what a slow
 * storage does. Reads wait beside each other, however many there are. Closes the store.
 */
record DelayedStore(ImageStore store, Duration delay) implements ImageStore {

  @Override
  public EncodedImage read(long index) throws IOException {
    long end = System.nanoTime() + delay.toNanos();
    for (long left = delay.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while reading " + describe(index));
      }
    }
    return store.read(index);
  }

  @Override
  public long size() {
    return store.size();
  }

  @Override
  public int label(long index) throws IOException {
    return store.label(index);
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
