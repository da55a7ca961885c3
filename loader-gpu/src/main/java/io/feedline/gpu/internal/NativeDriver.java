package io.feedline.gpu.internal;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import java.util.Map;
import java.util.Set;

/**
 * The driver of this machine, through JNA's direct mapping. Some functions are bound to their
 * {@code _v2} form, as in the driver's header.
 */
final class NativeDriver implements Driver {

  /**
   * The functions bound to their second version; their plain names are older forms with 32-bit
   * sizes or other semantics.
   */
  private static final Set<String> SECOND_VERSION =
      Set.of(
          "cuDevicePrimaryCtxRelease",
          "cuCtxPushCurrent",
          "cuCtxPopCurrent",
          "cuMemAlloc",
          "cuMemFree",
          "cuStreamDestroy",
          "cuEventDestroy",
          "cuMemcpyHtoDAsync",
          "cuMemcpyDtoDAsync",
          "cuMemcpyDtoHAsync");

  private static Driver bound;

  private NativeDriver() {}

  /** Loads the library, and calls none of its functions. */
  static synchronized Driver load() {
    if (bound == null) {
      bind();
      bound = new NativeDriver();
    }
    return bound;
  }

  static String libraryName() {
    return Platform.isWindows() ? "nvcuda" : "libcuda.so.1";
  }

  private static void bind() {
    FunctionMapper names =
        (library, method) ->
            SECOND_VERSION.contains(method.getName()) ? method.getName() + "_v2" : method.getName();
    NativeLibrary library =
        NativeLibrary.getInstance(libraryName(), Map.of(Library.OPTION_FUNCTION_MAPPER, names));
    Native.register(NativeDriver.class, library);
  }

  @Override
  public native int cuInit(int flags);

  @Override
  public native int cuDriverGetVersion(int[] version);

  @Override
  public native int cuDeviceGetCount(int[] count);

  @Override
  public native int cuDeviceGet(int[] device, int ordinal);

  @Override
  public native int cuDeviceGetName(byte[] name, int length, int device);

  @Override
  public native int cuDeviceGetPCIBusId(byte[] id, int length, int device);

  @Override
  public native int cuDevicePrimaryCtxRetain(long[] context, int device);

  @Override
  public native int cuDevicePrimaryCtxRelease(int device);

  @Override
  public native int cuCtxPushCurrent(long context);

  @Override
  public native int cuCtxPopCurrent(long[] context);

  @Override
  public native int cuCtxGetStreamPriorityRange(int[] leastPriority, int[] greatestPriority);

  @Override
  public native int cuMemHostAlloc(long[] pointer, long bytes, int flags);

  @Override
  public native int cuMemFreeHost(long pointer);

  @Override
  public native int cuMemAlloc(long[] pointer, long bytes);

  @Override
  public native int cuMemFree(long pointer);

  @Override
  public native int cuPointerGetAttribute(int[] value, int attribute, long pointer);

  @Override
  public native int cuStreamCreateWithPriority(long[] stream, int flags, int priority);

  @Override
  public native int cuStreamDestroy(long stream);

  @Override
  public native int cuStreamSynchronize(long stream);

  @Override
  public native int cuStreamWaitEvent(long stream, long event, int flags);

  @Override
  public native int cuEventCreate(long[] event, int flags);

  @Override
  public native int cuEventDestroy(long event);

  @Override
  public native int cuEventRecord(long event, long stream);

  @Override
  public native int cuEventSynchronize(long event);

  @Override
  public native int cuEventElapsedTime(float[] millis, long start, long end);

  @Override
  public native int cuMemcpyHtoDAsync(long device, long host, long bytes, long stream);

  @Override
  public native int cuMemcpyDtoDAsync(long to, long from, long bytes, long stream);

  @Override
  public native int cuMemcpyDtoHAsync(long host, long device, long bytes, long stream);

  @Override
  public native int cuGetErrorName(int result, long[] text);
}
