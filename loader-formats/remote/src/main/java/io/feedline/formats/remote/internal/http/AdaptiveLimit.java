package io.feedline.formats.remote.internal.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/** The number of requests in flight (AIMD); others wait in a queue. Thread-safe. */
final class AdaptiveLimit {

  private static final double DECREASE = 0.7;

  private final int most;
  private final Deque<BooleanSupplier> waiting = new ArrayDeque<>();
  private double limit;
  private int inFlight;

  /** Refusals of requests that were sent before the last decrease do not count. */
  private int decreases;

  AdaptiveLimit(int most) {
    this.most = most;
    this.limit = most;
  }

  /** Sends a request when there is room; {@code send} returns false if it is not wanted now. */
  void run(BooleanSupplier send) {
    synchronized (this) {
      waiting.add(send);
    }
    fill();
  }

  void release() {
    synchronized (this) {
      inFlight--;
    }
    fill();
  }

  private void fill() {
    while (true) {
      BooleanSupplier next;
      synchronized (this) {
        if (inFlight >= (int) limit || waiting.isEmpty()) {
          return;
        }
        next = waiting.remove();
        inFlight++;
      }
      if (!next.getAsBoolean()) {
        synchronized (this) {
          inFlight--;
        }
      }
    }
  }

  /** Returns the time that {@link #slower} takes. */
  synchronized int time() {
    return decreases;
  }

  /** Lowers the limit, unless it was lowered since the request was sent. */
  synchronized void slower(int sent) {
    if (sent == decreases) {
      decreases++;
      limit = Math.max(1, limit * DECREASE);
    }
  }

  /** Raises the limit by one after as many answers as the limit. */
  synchronized void faster() {
    limit = Math.min(most, limit + 1 / limit);
  }

  synchronized int now() {
    return (int) limit;
  }

  synchronized int inFlight() {
    return inFlight;
  }
}
