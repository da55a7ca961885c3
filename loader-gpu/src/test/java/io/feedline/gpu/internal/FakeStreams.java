package io.feedline.gpu.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Condition;

/**
 * The queues of a {@link FakeDriver}, which have no thread of their own: callers of the driver run
 * them, as the {@link Schedule} says and whenever one of them waits. Guarded by the driver's lock.
 *
 * <p>An operation waits only for operations that were put in before it, so the queues always drain,
 * but for operations that a test {@linkplain #release holds}; for these a waiting thread sleeps.
 */
final class FakeStreams {

  private static final int MOST_AT_RANDOM = 4;

  private final Schedule schedule;
  private final SplittableRandom random;
  private final RaceDetector races;
  private final List<String> violations;
  private final Condition changed;

  private final Map<Long, FakeStream> byHandle = new LinkedHashMap<>();
  private final Map<Integer, FakeStream> legacy = new HashMap<>();

  /** Those of {@link #byHandle}, the legacy ones, and destroyed ones that are not done yet. */
  private final List<FakeStream> all = new ArrayList<>();

  private int streamsMade;
  private long operationsMade;
  private long millis;

  FakeStreams(Schedule schedule, RaceDetector races, List<String> violations, Condition changed) {
    this.schedule = schedule;
    this.random = new SplittableRandom(schedule.seed());
    this.races = races;
    this.violations = violations;
    this.changed = changed;
  }

  FakeStream legacy(int device) {
    return legacy.computeIfAbsent(device, d -> add(0, d, FakeStream.Kind.LEGACY, ""));
  }

  FakeStream create(long handle, int device, FakeStream.Kind kind, String madeAt) {
    FakeStream stream = add(handle, device, kind, madeAt);
    byHandle.put(handle, stream);
    return stream;
  }

  private FakeStream add(long handle, int device, FakeStream.Kind kind, String madeAt) {
    FakeStream stream = new FakeStream(handle, streamsMade++, device, kind, madeAt);
    all.add(stream);
    return stream;
  }

  FakeStream find(long handle) {
    return byHandle.get(handle);
  }

  Collection<FakeStream> created() {
    return byHandle.values();
  }

  void destroy(FakeStream stream) {
    byHandle.remove(stream.handle);
    forgetDrained();
  }

  private void forgetDrained() {
    all.removeIf(
        stream ->
            stream.queue.isEmpty()
                && stream.kind != FakeStream.Kind.LEGACY
                && !byHandle.containsKey(stream.handle));
  }

  /**
   * Puts an operation into a stream.
   *
   * @param after what it waits for, besides what is in the stream already
   * @param accesses the memory that it reads and writes
   */
  Operation put(
      FakeStream stream,
      String what,
      Collection<Operation> after,
      List<Access> accesses,
      Runnable body) {
    List<Operation> waits = new ArrayList<>(after);
    for (FakeStream other : all) {
      if (other.last != null && stream.waitsImplicitlyFor(other)) {
        waits.add(other.last);
      }
    }
    VectorClock clock = stream.clock.join(races.host());
    for (Operation wait : waits) {
      clock = clock.join(wait.clock);
    }
    clock = clock.tick(stream.index);
    String name = "%s (#%d %s)".formatted(what, ++operationsMade, Caller.here());
    Operation operation = new Operation(stream, name, clock, body);
    waits.stream().filter(wait -> !wait.done).forEach(operation.waits::add);
    stream.clock = clock;
    stream.last = operation;
    stream.queue.add(operation);
    races.device(operation, accesses);
    return operation;
  }

  void release(Operation operation) {
    operation.held = false;
    changed.signalAll();
  }

  /** Takes the step that the schedule takes at each call. */
  void step() {
    switch (schedule.kind()) {
      case LAZY -> {}
      case EAGER -> {
        for (List<Operation> ready = ready(); !ready.isEmpty(); ready = ready()) {
          ready.forEach(this::run);
        }
      }
      case RANDOM -> {
        for (int left = random.nextInt(MOST_AT_RANDOM); left > 0 && runAny(); left--) {}
      }
    }
  }

  /** Runs what is needed, and what the schedule likes to run, until an operation is done. */
  void complete(Operation operation) {
    while (!operation.done) {
      boolean ran = schedule.kind() == Schedule.Kind.RANDOM ? runAny() : runTowards(operation);
      if (!ran) {
        if (all.stream().noneMatch(stream -> stream.queue.stream().anyMatch(o -> o.held))) {
          throw new AssertionError("nothing can run, waiting for " + operation + " in " + queues());
        }
        changed.awaitUninterruptibly();
      }
    }
  }

  /** As {@link #complete}, and then the host knows it. */
  void await(Operation operation) {
    if (operation != null) {
      complete(operation);
      races.learn(operation.clock);
    }
  }

  void awaitAll(int device) {
    for (FakeStream stream : of(device)) {
      await(stream.last);
    }
  }

  /** Runs everything on a GPU, without the host's knowing it. */
  void completeAll(int device) {
    for (FakeStream stream : of(device)) {
      if (stream.last != null) {
        complete(stream.last);
      }
    }
  }

  private List<FakeStream> of(int device) {
    return all.stream().filter(stream -> stream.device == device).toList();
  }

  private List<Operation> ready() {
    return all.stream()
        .map(stream -> stream.queue.peek())
        .filter(head -> head != null && blocker(head) == null && !head.held)
        .toList();
  }

  private boolean runAny() {
    List<Operation> ready = ready();
    if (ready.isEmpty()) {
      return false;
    }
    run(ready.get(random.nextInt(ready.size())));
    return true;
  }

  private boolean runTowards(Operation goal) {
    Operation next = goal;
    while (true) {
      Operation head = next.stream.queue.element();
      Operation blocker = blocker(head);
      if (blocker == null) {
        if (head.held) {
          return false;
        }
        run(head);
        return true;
      }
      next = blocker;
    }
  }

  private static Operation blocker(Operation operation) {
    operation.waits.removeIf(wait -> wait.done);
    return operation.waits.isEmpty() ? null : operation.waits.get(0);
  }

  private void run(Operation operation) {
    operation.stream.queue.remove();
    try {
      operation.body.run();
    } catch (RuntimeException | AssertionError e) {
      violations.add("%s failed: %s".formatted(operation, e));
    } finally {
      operation.done = true;
      operation.doneMillis = ++millis;
      changed.signalAll();
      forgetDrained();
    }
  }

  void abandon() {
    for (FakeStream stream : all) {
      stream.queue.forEach(operation -> operation.done = true);
      stream.queue.clear();
    }
    byHandle.clear();
    forgetDrained();
    changed.signalAll();
  }

  String queues() {
    return all.stream().map(stream -> stream + ": " + stream.queue).toList().toString();
  }
}
