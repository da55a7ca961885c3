package io.feedline.gpu.internal;

import java.util.ArrayList;
import java.util.List;

final class Operation {

  final FakeStream stream;
  final String what;

  final List<Operation> waits = new ArrayList<>();

  /** The operations that happen before it, and itself. */
  final VectorClock clock;

  final Runnable body;
  boolean held;
  boolean done;
  long doneMillis;

  Operation(FakeStream stream, String what, VectorClock clock, Runnable body) {
    this.stream = stream;
    this.what = what;
    this.clock = clock;
    this.body = body;
  }

  /** Tests whether this happens before everything with a clock. */
  boolean before(VectorClock other) {
    return other.get(stream.index) >= clock.get(stream.index);
  }

  @Override
  public String toString() {
    return "%s in %s".formatted(what, stream);
  }
}
