package io.feedline.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.BarrierTaskContext;

final class Agreement {

  private Agreement() {}

  /**
   * Waits until all tasks of the stage have called this method, and compares the values that they
   * passed.
   *
   * @param what the name of the value
   * @throws IOException if a task's value differs from the first task's; it is thrown in all tasks
   */
  static void require(BarrierTaskContext barrier, String what, String own) throws IOException {
    String[] all = barrier.allGather(own);
    List<String> others = new ArrayList<>();
    for (int task = 1; task < all.length; task++) {
      if (!all[task].equals(all[0])) {
        others.add("task %d has %s".formatted(task, all[task]));
      }
    }
    if (!others.isEmpty()) {
      throw new IOException(
          "%s is not the same in all %d tasks of the barrier stage: task 0 has %s, but %s%s; tasks that train together need the same data, options and seed"
              .formatted(
                  what,
                  all.length,
                  all[0],
                  String.join(", ", others.subList(0, Math.min(3, others.size()))),
                  others.size() > 3 ? ", and so on" : ""));
    }
  }
}
