package io.feedline.gpu.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A driver that forgets some of its calls: it says that they succeeded, and does nothing. A test of
 * the orders that a program establishes must fail over it; if it passes, it proves nothing.
 *
 * <p>Thread-safe if its predicate is.
 */
public final class ForgetfulDriver {

  /**
   * A call of the driver.
   *
   * @param function its name as in {@link Driver}
   * @param arguments in the function's order: numbers, and arrays for what it gives back
   */
  public record Call(String function, List<Object> arguments) {

    /** A number among the arguments, for example a handle. */
    public long argument(int i) {
      return ((Number) arguments.get(i)).longValue();
    }
  }

  private final Driver driver;
  private final AtomicInteger forgotten = new AtomicInteger();

  private ForgetfulDriver(FakeDriver fake, Predicate<Call> forgets) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (forgets.test(new Call(method.getName(), List.of(arguments)))) {
            forgotten.incrementAndGet();
            return 0;
          }
          return invoke(fake, method, arguments);
        };
    this.driver =
        (Driver)
            Proxy.newProxyInstance(
                Driver.class.getClassLoader(), new Class<?>[] {Driver.class}, handler);
  }

  private static Object invoke(FakeDriver fake, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(fake, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** A driver over another, without the calls that a predicate matches. */
  public static ForgetfulDriver over(FakeDriver fake, Predicate<Call> forgets) {
    return new ForgetfulDriver(fake, forgets);
  }

  /** The binding over this driver. */
  public Cuda cuda() {
    return Cuda.of(driver);
  }

  /** How many calls were forgotten. */
  public int forgotten() {
    return forgotten.get();
  }
}
