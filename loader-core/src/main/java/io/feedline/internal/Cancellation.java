package io.feedline.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;

/**
 * The cancellation of a read that is no longer wanted. A loop that may read for long without a
 * sample, such as a filter that accepts none, calls {@link #check} in each round. The check ends
 * the loop when the loader has been closed or has left the epoch, without an interrupt, which would
 * close files for other threads, too.
 *
 * @param unwanted returns whether the read is no longer wanted; called by the reading thread
 * @param interruptible whether an interrupt of the reading thread ends the read, too; false for a
 *     loader's worker, in which a user's code may have left an interrupt
 */
public record Cancellation(BooleanSupplier unwanted, boolean interruptible) {

  private static final long MOST_SKIPPED = 1 << 24;

  /** The cancellation of a thread that reads for no loader. */
  private static final Cancellation BY_INTERRUPT = new Cancellation(() -> false, true);

  private static final ThreadLocal<Cancellation> READS =
      ThreadLocal.withInitial(() -> BY_INTERRUPT);

  /** Makes this the thread's cancellation; returns the former cancellation, to be entered again. */
  public Cancellation enter() {
    Cancellation before = READS.get();
    READS.set(this);
    return before;
  }

  /** Throws if the calling thread's read is cancelled, so that the read ends. */
  public static void check() throws InterruptedException {
    Cancellation read = READS.get();
    if (read.interruptible && Thread.interrupted()) {
      throw new InterruptedException("interrupted while reading on to the next sample");
    }
    if (read.unwanted.getAsBoolean()) {
      throw new InterruptedException("the loader has left the epoch");
    }
  }

  /** Throws if the calling thread's read is unwanted; an interrupt of the thread does not count. */
  public static void checkWithin() throws InterruptedIOException {
    if (READS.get().unwanted.getAsBoolean()) {
      throw new InterruptedIOException("the loader has left the epoch");
    }
  }

  /**
   * Skips bytes as {@link InputStream#skipNBytes} does, and checks for a cancellation now and then,
   * since a stream that unpacks the skipped bytes takes long.
   */
  public static void skipNBytes(InputStream in, long bytes) throws IOException {
    for (long left = bytes; left > 0; left -= MOST_SKIPPED) {
      checkWithin();
      in.skipNBytes(Math.min(left, MOST_SKIPPED));
    }
  }
}
