package io.feedline.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;

/**
 * The end of a read that is not wanted any more. A loop that may read on for long before it has a
 * sample, as a filter does that accepts none, calls {@link #check} before it turns again: this ends
 * the loop when the loader has been closed or has left the epoch, without an interrupt, which would
 * close files for others too.
 *
 * @param unwanted tells whether the read is not wanted any more; asked by the thread that reads
 * @param interruptible whether an interrupt of that thread ends the read too: it is not a loader's
 *     worker, in which a user's code may have left one
 */
public record Cancellation(BooleanSupplier unwanted, boolean interruptible) {

  /** The bytes that are passed over between two looks. */
  private static final long MOST_SKIPPED = 1 << 24;

  /** That of a thread that reads for no loader. */
  private static final Cancellation BY_INTERRUPT = new Cancellation(() -> false, true);

  private static final ThreadLocal<Cancellation> READS =
      ThreadLocal.withInitial(() -> BY_INTERRUPT);

  /**
   * Makes this the calling thread's.
   *
   * @return the one that it replaces, to be entered again afterwards
   */
  public Cancellation enter() {
    Cancellation before = READS.get();
    READS.set(this);
    return before;
  }

  /**
   * Goes on with the calling thread's read.
   *
   * @throws InterruptedException if the thread was interrupted, or the read is not wanted any more
   */
  public static void check() throws InterruptedException {
    Cancellation read = READS.get();
    if (read.interruptible && Thread.interrupted()) {
      throw new InterruptedException("interrupted while reading on to the next sample");
    }
    if (read.unwanted.getAsBoolean()) {
      throw new InterruptedException("the loader has left the epoch");
    }
  }

  /**
   * Goes on with the calling thread's read, in the midst of what an interrupt must not cut.
   *
   * @throws InterruptedIOException if the read is not wanted any more
   */
  public static void checkWithin() throws InterruptedIOException {
    if (READS.get().unwanted.getAsBoolean()) {
      throw new InterruptedIOException("the loader has left the epoch");
    }
  }

  /**
   * Passes over bytes, as {@link InputStream#skipNBytes} does, which unpacks them where they are
   * compressed.
   *
   * @throws InterruptedIOException if the read is not wanted any more
   * @throws IOException if there are fewer bytes, or they cannot be read
   */
  public static void skipNBytes(InputStream in, long bytes) throws IOException {
    for (long left = bytes; left > 0; left -= MOST_SKIPPED) {
      checkWithin();
      in.skipNBytes(Math.min(left, MOST_SKIPPED));
    }
  }
}
