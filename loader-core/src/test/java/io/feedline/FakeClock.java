package io.feedline;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that stands still until somebody moves it: what work "takes" is what it moves it by. */
public final class FakeClock implements LongSupplier {

  private final AtomicLong nanos = new AtomicLong(1_000_000_007);

  @Override
  public long getAsLong() {
    return nanos.get();
  }

  void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  public void passMicros(long micros) {
    pass(Duration.ofNanos(1000 * micros));
  }
}
