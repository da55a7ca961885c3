package io.feedline.gpu.internal;

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
    return HookedDriver.ofThisJvm(
        (call, made) -> {
          int result = made.getAsInt();
          return result == 0 && call.function().equals("cuMemcpyDtoDAsync")
              ? driver.cuStreamSynchronize(call.argument(3))
              : result;
        });
  }
}
