package io.feedline.formats.remote.internal.cache;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The fetch of a {@link CacheLine}, for which others may wait. Only the first end has effect. */
final class Fetch {

  enum State {
    /** The line's bytes are in memory. */
    BYTES,
    /** The line is not kept: each waiting reader reads its bytes from the origin. */
    PASSED,
    /** The fetching thread was interrupted: one of the waiting readers fetches the line. */
    ABANDONED,
    /** The line could not be read: waiting readers fail too. */
    FAILED
  }

  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger waiting = new AtomicInteger();

  private State state;
  private ByteBuffer bytes;
  private Throwable failure;

  /** Ends the fetch with the bytes of the whole line, which must not change afterwards. */
  void succeed(ByteBuffer line) {
    end(State.BYTES, line, null);
  }

  void pass() {
    end(State.PASSED, null, null);
  }

  void abandon() {
    end(State.ABANDONED, null, null);
  }

  void fail(Throwable reason) {
    end(State.FAILED, null, reason);
  }

  private synchronized void end(State newState, ByteBuffer line, Throwable reason) {
    if (state == null) {
      state = newState;
      bytes = line;
      failure = reason;
      ended.countDown();
    }
  }

  boolean isAwaited() {
    return waiting.get() > 0;
  }

  /** Waits for the end of the fetch; returns its state, or throws if it is {@link State#FAILED}. */
  State await(CacheLine line) throws IOException {
    waiting.incrementAndGet();
    try {
      ended.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while another thread reads " + line);
    }
    synchronized (this) {
      if (state == State.FAILED) {
        throw new IOException(
            "%s: another thread that was reading it has failed: %s"
                .formatted(line, failure.getMessage()),
            failure);
      }
      return state;
    }
  }

  /** Returns the line's bytes, whose content and position must not change. */
  synchronized ByteBuffer bytes() {
    return bytes;
  }
}
