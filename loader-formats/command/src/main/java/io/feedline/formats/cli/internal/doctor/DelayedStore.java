package io.feedline.formats.cli.internal.doctor;

import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.samples.ForwardingStore;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A store that delays each read by a given time, to imitate slow storage. A read is of one sample,
 * or of a range of several samples. Reads wait independently of each other. Closing closes the
 * wrapped store.
 */
final class DelayedStore extends ForwardingStore {

  /** True if the calling thread has opened a range: its reads in the range are not delayed. */
  private static final ThreadLocal<Boolean> HAS_RANGE = ThreadLocal.withInitial(() -> false);

  private final Duration delay;

  DelayedStore(ImageStore store, Duration delay) {
    super(store);
    this.delay = delay;
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    if (!HAS_RANGE.get()) {
      await(describe(index));
    }
    return super.read(index);
  }

  @Override
  public Closeable openRange(FileRange range) throws IOException {
    await(range.toString());
    Closeable lent = super.openRange(range);
    HAS_RANGE.set(true);
    return () -> {
      HAS_RANGE.remove();
      lent.close();
    };
  }

  private void await(String what) throws InterruptedIOException {
    long end = System.nanoTime() + delay.toNanos();
    for (long left = delay.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while reading " + what);
      }
    }
  }
}
