package io.feedline.gpu.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.IntSupplier;

/** A driver between whose user and itself a test stands: it sees each call, and may change it. */
public final class HookedDriver {
  private HookedDriver() {}

  /**
   * A call of the driver.
   *
   * @param function its name as in {@link Driver}
   * @param arguments in the function's order: numbers, and arrays for what it gives back
   */
  public record Call(String function, List<Object> arguments) {

    public long argument(int i) {
      return ((Number) arguments.get(i)).longValue();
    }
  }

  @FunctionalInterface
  public interface Hook {

    /**
     * Takes the place of a call.
     *
     * @param made makes the call
     * @return the call's result
     */
    int on(Call call, IntSupplier made);
  }

  public static Cuda ofThisJvm(Hook hook) {
    return Cuda.of(driver(NativeDriver.load(), hook));
  }

  /**
   * The binding over a driver that first runs something whenever one function is called, named as
   * in {@link Driver}, as if another thread came in. No lock of the driver's is held then.
   */
  public static Cuda before(FakeDriver driver, String function, Runnable hook) {
    return Cuda.of(
        driver(
            driver,
            (call, made) -> {
              if (call.function().equals(function)) {
                hook.run();
              }
              return made.getAsInt();
            }));
  }

  static Driver driver(Driver driver, Hook hook) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            hook.on(
                new Call(method.getName(), List.of(arguments)),
                () -> invoke(driver, method, arguments));
    return (Driver)
        Proxy.newProxyInstance(
            Driver.class.getClassLoader(), new Class<?>[] {Driver.class}, handler);
  }

  private static int invoke(Driver driver, Method method, Object[] arguments) {
    try {
      return (Integer) method.invoke(driver, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new IllegalStateException("a driver throws no checked exceptions", e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the driver's functions are public", e);
    }
  }
}
