package io.feedline.gpu.internal;

import com.sun.jna.Native;
import io.feedline.gpu.cuda.CudaException;

/**
 * The initialized CUDA driver of this machine. The driver's library is loaded and called from the
 * first {@link #load} on, not before.
 *
 * <p>Thread-safe.
 */
public final class Cuda {

  private static final int TEXT_BYTES = 256;

  private final Driver driver;

  private Cuda(Driver driver) {
    this.driver = driver;
  }

  /**
   * Loads and initializes the driver.
   *
   * @throws CudaException if there is no driver ({@link CudaException#NO_DRIVER}) or no GPU, or the
   *     driver does not start; the exception has a hint
   */
  public static Cuda load() {
    Driver driver;
    try {
      driver = NativeDriver.load();
    } catch (UnsatisfiedLinkError e) {
      throw CudaCalls.noDriver(e);
    }
    return of(driver);
  }

  static Cuda of(Driver driver) {
    CudaCalls.check(driver, driver.cuInit(0), "cuInit");
    return new Cuda(driver);
  }

  /** Returns the driver's version of CUDA, 1000 * major + 10 * minor: 12080 is CUDA 12.8. */
  public int driverVersion() {
    int[] version = new int[1];
    CudaCalls.check(driver, driver.cuDriverGetVersion(version), "cuDriverGetVersion");
    return version[0];
  }

  public int deviceCount() {
    int[] count = new int[1];
    CudaCalls.check(driver, driver.cuDeviceGetCount(count), "cuDeviceGetCount");
    return count[0];
  }

  /** Returns a GPU's name, for example {@code NVIDIA H100 80GB HBM3}. */
  public String deviceName(int ordinal) {
    byte[] name = new byte[TEXT_BYTES];
    CudaCalls.check(
        driver, driver.cuDeviceGetName(name, name.length, device(ordinal)), "cuDeviceGetName");
    return Native.toString(name);
  }

  /** Returns a GPU's address on the PCI bus, for example 0000:1B:00.0. */
  public String pciBusId(int ordinal) {
    byte[] id = new byte[TEXT_BYTES];
    CudaCalls.check(
        driver, driver.cuDeviceGetPCIBusId(id, id.length, device(ordinal)), "cuDeviceGetPCIBusId");
    return Native.toString(id);
  }

  /**
   * Returns the primary context of a GPU, which the CUDA runtime, and so PyTorch, also uses.
   * Creates the context if it does not exist.
   *
   * @return a context that the caller closes
   * @throws CudaException if there is no such GPU, or the GPU's memory is full
   */
  public CudaContext context(int ordinal) {
    int device = device(ordinal);
    long[] handle = new long[1];
    CudaCalls.check(
        driver,
        driver.cuDevicePrimaryCtxRetain(handle, device),
        "cuDevicePrimaryCtxRetain of GPU " + ordinal);
    return new CudaContext(driver, device, ordinal, handle[0]);
  }

  private int device(int ordinal) {
    int[] device = new int[1];
    CudaCalls.check(driver, driver.cuDeviceGet(device, ordinal), "cuDeviceGet of GPU " + ordinal);
    return device[0];
  }
}
