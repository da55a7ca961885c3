package io.feedline.formats.remote.internal.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * The number of requests in flight, adapted by additive increase and multiplicative decrease
 * (AIMD); other requests wait in a queue. Thread-safe.
 */
final class AdaptiveLimit {

  private static final double DECREASE = 0.7;

  private final int most;
  private final Deque<BooleanSupplier> waiting = new ArrayDeque<>();
  private double limit;
  private int inFlight;

  /** The count of decreases; a refusal counts only if its request was sent after the last one. */
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

  /** Returns the time of sending that {@link #slower} takes: the count of decreases until now. */
  synchronized int time() {
    return decreases;
  }

  /** Lowers the limit, unless it was lowered after the request was sent. */
  synchronized void slower(int sent) {
    if (sent == decreases) {
      decreases++;
      limit = Math.max(1, limit * DECREASE);
    }
  }

  /** Raises the limit for an answer, by one for as many answers as the limit. */
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
