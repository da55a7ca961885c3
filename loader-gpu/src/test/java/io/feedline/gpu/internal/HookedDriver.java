package io.feedline.gpu.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * Drivers between whose user and themselves a test stands: it sees each call, and may change it.
 */
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

  /**
   * A driver that says that the calls which a predicate matches have succeeded, and does nothing. A
   * test of the orders that a program establishes must fail over it.
   */
  public static Cuda forgetting(FakeDriver driver, Predicate<Call> forgets) {
    return Cuda.of(driver(driver, (call, made) -> forgets.test(call) ? 0 : made.getAsInt()));
  }

  /**
   * The driver of this JVM, which waits for each copy within the GPU before the call returns.
   *
   * <p>Where the CPU's tensors stand for those of a GPU, the operations of the engine do not wait
   * for the stream that they would be in, nor does freeing a tensor; with this driver they find
   * what is in the tensor, and nothing is written to it later. Copies from the host stay
   * asynchronous.
   */
  public static Cuda waiting() {
    return waiting(1, (call, made) -> made.getAsInt());
  }

  /**
   * The waiting driver with several GPUs, whichever one the user names: DJL knows one CPU only, so
   * that each context that is asked for is of the next GPU.
   *
   * @param hook around the calls, and their waits
   */
  public static Cuda waiting(int gpus, Hook hook) {
    Driver driver = NativeDriver.load();
    AtomicInteger next = new AtomicInteger();
    return ofThisJvm(
        (call, made) ->
            hook.on(
                call,
                () -> {
                  int result = made.getAsInt();
                  if (result == 0 && call.function().equals("cuDeviceGet")) {
                    ((int[]) call.arguments().get(0))[0] = next.getAndIncrement() % gpus;
                  }
                  return result == 0 && call.function().equals("cuMemcpyDtoDAsync")
                      ? driver.cuStreamSynchronize(call.argument(3))
                      : result;
                }));
  }

  private static Driver driver(Driver driver, Hook hook) {
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
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the driver's functions are public and throw nothing", e);
    }
  }
}
