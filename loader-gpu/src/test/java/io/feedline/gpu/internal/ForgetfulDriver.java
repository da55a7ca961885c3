package io.feedline.gpu.internal;

import io.feedline.gpu.internal.HookedDriver.Call;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A driver that forgets some of its calls: it says that they succeeded, and does nothing. A test of
 * the orders that a program establishes must fail over it; if it passes, it proves nothing.
 *
 * <p>Thread-safe if its predicate is.
 */
public final class ForgetfulDriver {

  private final Driver driver;
  private final AtomicInteger forgotten = new AtomicInteger();

  private ForgetfulDriver(Driver complete, Predicate<Call> forgets) {
    this.driver =
        HookedDriver.driver(
            complete,
            (call, made) -> {
              if (forgets.test(call)) {
                forgotten.incrementAndGet();
                return 0;
              }
              return made.getAsInt();
            });
  }

  public static ForgetfulDriver over(FakeDriver fake, Predicate<Call> forgets) {
    return new ForgetfulDriver(fake, forgets);
  }

  /**
   * The driver of this JVM, the machine's or the fake in C, without the calls that a predicate
   * matches.
   */
  public static ForgetfulDriver ofThisJvm(Predicate<Call> forgets) {
    return new ForgetfulDriver(NativeDriver.load(), forgets);
  }

  public Cuda cuda() {
    return Cuda.of(driver);
  }

  public int forgotten() {
    return forgotten.get();
  }
}
