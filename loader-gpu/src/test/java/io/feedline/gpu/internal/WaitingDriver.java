package io.feedline.gpu.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The driver of this JVM, which waits for each copy within the GPU before the call returns.
 *
 * <p>Where the CPU's tensors stand for those of a GPU, the operations of the engine do not wait for
 * the stream that they would be in, nor does freeing a tensor; with this driver they find what is
 * in the tensor, and nothing is written to it later. Copies from the host stay asynchronous.
 */
public final class WaitingDriver {
  private WaitingDriver() {}

  public static Cuda cuda() {
    return cuda(1, (call, made) -> made.getAsInt());
  }

  /**
   * The binding over it, with several GPUs, whichever one the user names: DJL knows one CPU only,
   * so that each context that is asked for is of the next GPU.
   *
   * @param gpus of the driver
   * @param hook around the calls, and their waits
   */
  public static Cuda cuda(int gpus, HookedDriver.Hook hook) {
    Driver driver = NativeDriver.load();
    AtomicInteger next = new AtomicInteger();
    return HookedDriver.ofThisJvm(
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
}
