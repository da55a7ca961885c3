package io.feedline.gpu.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class FakeFailures {

  private record Planned(String function, long at, int code) {}

  private final List<Planned> planned = new ArrayList<>();
  private final Map<String, Long> counts = new HashMap<>();
  private long calls;

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
        return plan.code;
      }
    }
    return 0;
  }
}
