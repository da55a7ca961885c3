package io.feedline.gpu;

import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.CudaEvent;
import io.feedline.gpu.internal.CudaStream;
import io.feedline.internal.Closing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A clock of the time in which a GPU has nothing to compute because its next batch is being copied.
 *
 * <p>Two events in the computing stream measure by the GPU's clock how long the GPU was idle. The
 * first event is after all work that the consumer had queued when it began to wait for a batch; the
 * second event is after the batch's copy. The consumer's wait alone does not show this, since the
 * consumer may be ahead of a busy GPU. Of the idle time, at most the time counts for which the
 * batch's copies held up the copying thread; for page-locked memory this time is almost zero. The
 * loader caused the remaining idle time.
 *
 * <p>Used by the consumer's thread. The caller that made it closes it before the context. A failure
 * of CUDA only ends the measuring; after a lasting failure the next copy fails too.
 */
final class StallClock implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StallClock.class);

  private static final class Wait {

    final CudaEvent drained;

    final CudaEvent resumed;

    long copyingNanos;

    DeviceStalls.Wait what;

    Wait(CudaEvent drained, CudaEvent resumed) {
      this.drained = drained;
      this.resumed = resumed;
    }
  }

  private final CudaContext context;

  private final ObjLongConsumer<DeviceStalls.Wait> listener;

  /**
   * All events, two for each wait. They are few, since the events of waits that the GPU has passed
   * are used again.
   */
  private final List<CudaEvent> events = new ArrayList<>();

  private final Deque<Wait> spare = new ArrayDeque<>();

  /** The waits that have ended for the consumer, but maybe not for the GPU, which may be behind. */
  private final Deque<Wait> over = new ArrayDeque<>();

  private @Nullable Wait current;

  private boolean failed;

  /**
   * @param listener called in {@link #waits} with each wait that the GPU has passed, and the
   *     nanoseconds for which the GPU was idle in it
   */
  StallClock(CudaContext context, ObjLongConsumer<DeviceStalls.Wait> listener) {
    this.context = context;
    this.listener = listener;
  }

  /**
   * Begins a wait.
   *
   * @param computing the handle of the stream in which the consumer has queued its work
   * @return the nanoseconds for which copies kept the stream idle in earlier waits; each wait
   *     counts once, in the first call after the GPU has passed the wait
   */
  long waits(long computing) {
    long[] stalled = new long[1];
    measure(
        () -> {
          stalled[0] = stalledNanos();
          if (current == null) {
            current = spare.isEmpty() ? newWait() : spare.remove();
          }
          context.stream(computing).record(current.drained);
        });
    return stalled[0];
  }

  private long stalledNanos() {
    long nanos = 0;
    while (!over.isEmpty()) {
      Wait wait = over.element();
      OptionalDouble millis = wait.resumed.millisSinceIfHappened(wait.drained);
      if (millis.isEmpty()) {
        return nanos;
      }
      long idle = (long) (millis.getAsDouble() * 1e6);
      nanos += Math.min(idle, wait.copyingNanos);
      spare.add(over.remove());
      listener.accept(wait.what, idle);
    }
    return nanos;
  }

  private Wait newWait() {
    CudaEvent drained = context.newTimedEvent();
    events.add(drained);
    CudaEvent resumed = context.newTimedEvent();
    events.add(resumed);
    return new Wait(drained, resumed);
  }

  /** Ends the current wait, if any: the stream {@code computing} is about to read a slot. */
  void resumes(long computing, DeviceSlot slot, DeviceStalls.Wait what) {
    if (current != null) {
      measure(
          () -> {
            CudaStream stream = context.stream(computing);
            stream.waitFor(slot.copied);
            stream.record(current.resumed);
            current.copyingNanos = slot.copyingNanos;
            current.what = what;
            over.add(current);
            current = null;
          });
    }
  }

  /** Drops the current wait, if any, because no batch arrived. */
  void cancel() {
    if (current != null) {
      spare.add(current);
      current = null;
    }
  }

  private void measure(Runnable calls) {
    if (failed) {
      return;
    }
    try {
      context.enter();
      try {
        calls.run();
      } finally {
        context.leave();
      }
    } catch (CudaException e) {
      failed = true;
      LOG.debug("{}: how long it waits for copies is not measured any more", context, e);
    }
  }

  @Override
  public void close() {
    if (!events.isEmpty()) {
      context.enter();
      try {
        Closing.all(events.toArray(AutoCloseable[]::new));
        events.clear();
      } finally {
        context.leave();
      }
    }
  }
}
