package io.feedline.gpu.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class FakeFailures {

  private record Planned(String function, long at, int code) {}

  private final List<Planned> planned = new ArrayList<>();
  private final Map<String, Long> counts = new HashMap<>();
  private final Map<Long, Integer> plannedCopies = new HashMap<>();
  private long calls;
  private long copies;
  private int poison;
  private int asynchronous;

  void failCall(int nth, int code) {
    planned.add(new Planned("", calls + nth, code));
  }

  void fail(String function, int nth, int code) {
    planned.add(new Planned(function, counts.getOrDefault(function, 0L) + nth, code));
  }

  /** Counts a call; gives the code that it is to fail with, or 0. */
  int count(String function) {
    calls++;
    long nth = counts.merge(function, 1L, Long::sum);
    for (Planned plan : planned) {
      if (plan.function.isEmpty()
          ? plan.at == calls
          : plan.function.equals(function) && plan.at == nth) {
        stay(plan.code);
        return plan.code;
      }
    }
    return 0;
  }

  void failCopy(int nth, int code) {
    plannedCopies.put(copies + nth, code);
  }

  /** Counts a copy; gives the code that it is to fail with in the GPU, or 0. */
  int countCopy() {
    return plannedCopies.getOrDefault(++copies, 0);
  }

  private void stay(int code) {
    if (CudaErrors.sticky(code)) {
      poison = code;
    }
  }

  /** The code that whatever uses the GPU fails with from now on, or 0. */
  int poison() {
    return poison;
  }

  /** Something failed in the GPU, while no thread waited. */
  void failedInGpu(int code) {
    if (asynchronous == 0) {
      asynchronous = code;
    }
  }

  boolean broken() {
    return poison != 0 || CudaErrors.sticky(asynchronous);
  }

  /** Returns the code of the failure that a waiting call finds, once, or 0. */
  int surface() {
    int code = asynchronous;
    asynchronous = 0;
    stay(code);
    return code;
  }
}
