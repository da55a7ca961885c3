package io.feedline.formats.remote.internal.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * A limit on the number of requests in flight, adapted by additive increase and multiplicative
 * decrease (AIMD). Further requests wait in a queue. Thread-safe.
 */
final class AdaptiveLimit {

  private static final double DECREASE = 0.7;

  private final int most;
  private final Deque<BooleanSupplier> waiting = new ArrayDeque<>();
  private double limit;
  private int inFlight;

  /** The count of decreases: requests sent before the last decrease lower the limit no further. */
  private int decreases;

  AdaptiveLimit(int most) {
    this.most = most;
    this.limit = most;
  }

  /** Calls {@code send} when there is room. If {@code send} returns false, the room stays free. */
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

  /** Returns the count of decreases, which a request notes when sent, for {@link #slower}. */
  synchronized int time() {
    return decreases;
  }

  /** Lowers the limit, unless it was lowered since {@link #time} returned {@code sent}. */
  synchronized void slower(int sent) {
    if (sent == decreases) {
      decreases++;
      limit = Math.max(1, limit * DECREASE);
    }
  }

  /** Raises the limit by 1 / limit, for a fast answer: n answers raise a limit of n by about 1. */
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
