package io.feedline.formats.image;

import io.feedline.formats.internal.VectorApi;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that makes workers write the first images one by one if the JVM uses the Vector API.
 *
 * <h2>Implementation note</h2>
 *
 * <p>Until the JVM's optimizing compiler has compiled a method of the Vector API, each vector in it
 * is an object. An image then takes 60 times as long and makes tens of megabytes of garbage, and
 * the heap grows to some hundred megabytes. The compiler needs a second or two of processor time
 * for all these methods. The other workers wait meanwhile, because they would take processor time
 * for a few slow images. The JVM does not report when a method has been compiled, so the waiting
 * ends after a fixed amount of work, which was enough in measurements. A worker waits for a second
 * at most, since the worker whose turn it is may be waiting for this worker.
 *
 * <p>Thread-safe.
 */
final class FirstImages {

  /** The source pixels after which workers no longer wait: a hundred crops of ImageNet's photos. */
  private static final long PIXELS = 10 << 20;

  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The largest number of the machine's processors with which workers wait; with more, the compiler
   * has processors of its own. Measured with two processors.
   */
  private static final int FEW_PROCESSORS = 4;

  private static final FirstImages OF_PROCESS =
      new FirstImages(
          VectorApi.inUse() && Runtime.getRuntime().availableProcessors() <= FEW_PROCESSORS
              ? PIXELS
              : 0,
          MOST_NANOS);

  private final AtomicLong left;
  private final long mostNanos;
  private final ReentrantLock turn = new ReentrantLock();

  FirstImages(long pixels, long mostNanos) {
    this.left = new AtomicLong(pixels);
    this.mostNanos = mostNanos;
  }

  static FirstImages ofProcess() {
    return OF_PROCESS;
  }

  /** Returns true if the next image may have to wait until another worker has made its image. */
  boolean areLeft() {
    return left.get() > 0;
  }

  /**
   * Waits until no other worker makes an image, for a second at most. Returns true if this thread
   * must call {@link #end} after its image.
   */
  boolean begin(long pixels) {
    if (!areLeft()) {
      return false;
    }
    left.addAndGet(-pixels);
    try {
      return turn.tryLock(mostNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      // The reader or the loader will notice the interruption.
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void end() {
    turn.unlock();
  }
}
