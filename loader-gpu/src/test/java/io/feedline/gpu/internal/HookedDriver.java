package io.feedline.gpu.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A {@link FakeDriver} in whose calls a test does something, as if another thread came in. */
public final class HookedDriver {
  private HookedDriver() {}

  /**
   * The binding over a driver that first runs something whenever one function is called, named as
   * in {@link Driver}. No lock of the driver's is held then.
   */
  public static Cuda before(FakeDriver driver, String function, Runnable hook) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals(function)) {
            hook.run();
          }
          try {
            return method.invoke(driver, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return Cuda.of(
        (Driver)
            Proxy.newProxyInstance(
                Driver.class.getClassLoader(), new Class<?>[] {Driver.class}, handler));
  }
}
