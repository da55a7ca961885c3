package io.feedline.gpu.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * The driver of this JVM, which waits for each copy within the GPU before the call returns.
 *
 * <p>Where the CPU's tensors stand for those of a GPU, the operations of the engine do not wait for
 * the stream that they would be in, nor does freeing a tensor; with this driver they find what is
 * in the tensor, and nothing is written to it later. Copies from the host stay asynchronous.
 */
public final class WaitingDriver {
  private WaitingDriver() {}

  /** The binding over it. */
  public static Cuda cuda() {
    Driver driver = NativeDriver.load();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          try {
            Object result = method.invoke(driver, arguments);
            if (method.getName().equals("cuMemcpyDtoDAsync") && result.equals(0)) {
              return driver.cuStreamSynchronize((Long) arguments[3]);
            }
            return result;
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
