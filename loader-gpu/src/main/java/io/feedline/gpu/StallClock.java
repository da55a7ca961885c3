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
 * The time in which a GPU has nothing to compute because its next batch is being copied.
 *
 * <p>Two marks in the computing stream show, by the GPU's clock, how long it was idle: one after
 * everything that the consumer had queued when it began to wait for a batch, and one after that
 * batch's copy. The consumer's wait alone means nothing: the consumer may be ahead of a busy GPU.
 * Of this time counts what the copying thread was held up by the batch's copies, which is next to
 * nothing for page-locked memory; the rest is the loader's.
 *
 * <p>Used by the consumer. Closed by its maker, before the context. A failure of CUDA ends the
 * measuring and nothing else; lasting damage shows in the next copy.
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

  /** Two for each wait in use. Few are in use at a time: waits that the GPU has not reached yet. */
  private final List<CudaEvent> events = new ArrayList<>();

  private final Deque<Wait> spare = new ArrayDeque<>();

  /** Waits that are over for the consumer, but that the GPU may not have reached. */
  private final Deque<Wait> over = new ArrayDeque<>();

  private @Nullable Wait current;

  private boolean failed;

  /**
   * @param listener told, in {@link #waits}, of each wait that is over, and how many nanoseconds of
   *     it the GPU had nothing to do
   */
  StallClock(CudaContext context, ObjLongConsumer<DeviceStalls.Wait> listener) {
    this.context = context;
    this.listener = listener;
  }

  /**
   * Begins a wait.
   *
   * @param computing the handle of the stream that has been given all there is
   * @return how long the stream stood still for copies in former waits, in nanoseconds; each wait
   *     is told once, when the GPU has come so far
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

  /** A batch is about to be read by the stream {@code computing}. */
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

  /** The arrival was not a batch. */
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
