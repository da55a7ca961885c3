package io.feedline.gpu;

import io.feedline.gpu.internal.HookedDriver.Call;
import io.feedline.gpu.internal.Schedule;
import java.util.List;
import java.util.function.Predicate;

/** Something that goes well only if the GPU is told what to wait for. */
interface OrderScenario {

  /** Plays it over a driver that forgets what a predicate says. */
  List<String> complaints(Schedule schedule, Predicate<Call> forgets);
}
