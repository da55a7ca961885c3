package io.feedline.gpu;

import io.feedline.gpu.internal.HookedDriver.Call;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls that a {@link CopyRing} makes of a driver, told apart by function, by what they are
 * about, and by the ring's method that makes them. To be shown each call, in the thread that makes
 * it.
 *
 * <p>Thread-safe.
 */
final class RingCalls {

  enum Subject {
    STARTED,
    COPIED,
    CONSUMED,
    COPYING_STREAM,
    OTHER
  }

  record Kind(String function, Subject subject, String method) {}

  private static final StackWalker STACK = StackWalker.getInstance();

  /** The order in which a slot makes its events. */
  private static final List<Subject> EVENTS =
      List.of(Subject.STARTED, Subject.COPIED, Subject.CONSUMED);

  /** The results of the driver, in the order of the rings' calls; filled in when they return. */
  private final List<long[]> streams = new ArrayList<>();

  private final List<long[]> events = new ArrayList<>();

  synchronized Kind of(Call call) {
    switch (call.function()) {
      case "cuStreamCreateWithPriority" -> streams.add((long[]) call.arguments().get(0));
      case "cuEventCreate" -> events.add((long[]) call.arguments().get(0));
      default -> {}
    }
    return new Kind(call.function(), subject(call), caller());
  }

  private Subject subject(Call call) {
    return switch (call.function()) {
      case "cuEventRecord", "cuEventSynchronize" -> event(call.argument(0));
      case "cuStreamWaitEvent" -> event(call.argument(1));
      case "cuEventElapsedTime" -> event(call.argument(2));
      case "cuStreamSynchronize" ->
          streams.stream().anyMatch(made -> made[0] == call.argument(0))
              ? Subject.COPYING_STREAM
              : Subject.OTHER;
      default -> Subject.OTHER;
    };
  }

  private Subject event(long handle) {
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i)[0] == handle) {
        return EVENTS.get(i % EVENTS.size());
      }
    }
    return Subject.OTHER;
  }

  private static String caller() {
    return STACK.walk(
        frames ->
            frames
                .filter(frame -> frame.getClassName().equals(CopyRing.class.getName()))
                .findFirst()
                .map(StackWalker.StackFrame::getMethodName)
                .orElse(""));
  }
}
