package io.feedline.gpu;

import io.feedline.gpu.internal.FakeDriver;
import io.feedline.gpu.internal.HookedDriver.Call;
import io.feedline.gpu.internal.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Something that goes well only if the GPU is told what to wait for. */
interface OrderScenario {

  /** Plays it over a driver that forgets what a predicate says. */
  List<String> complaints(Schedule schedule, Predicate<Call> forgets);

  /** Plays a story, and returns what went wrong in it and what is left after it. */
  static List<String> complaints(
      FakeDriver driver, List<FakeGpuMemory> memories, Callable<?> story) {
    List<String> complaints = new ArrayList<>();
    try {
      story.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      complaints.add(e.toString());
    } catch (Exception | AssertionError e) {
      complaints.add(e.toString());
    }
    complaints.addAll(driver.violations());
    try {
      driver.assertNothingLeft();
    } catch (AssertionError e) {
      complaints.add(e.getMessage());
    }
    memories.stream()
        .filter(memory -> memory.open() > 0)
        .forEach(memory -> complaints.add(memory.open() + " blocks were not closed"));
    return complaints;
  }
}
