package io.feedline.bench.nvml;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import java.util.Map;
import java.util.Set;

/** NVIDIA's management library of this machine, which comes with the driver; called through JNA. */
final class NativeNvml implements Nvml {

  /** The functions of which the header uses a second version. */
  private static final Set<String> SECOND_VERSION =
      Set.of("nvmlInit", "nvmlDeviceGetHandleByPciBusId");

  private static Nvml bound;

  private NativeNvml() {}

  /**
   * Loads the library once; calls no function.
   *
   * @throws UnsatisfiedLinkError if the library does not exist, or lacks a function
   */
  static synchronized Nvml load() {
    if (bound == null) {
      FunctionMapper names =
          (library, method) ->
              SECOND_VERSION.contains(method.getName())
                  ? method.getName() + "_v2"
                  : method.getName();
      NativeLibrary library =
          NativeLibrary.getInstance(libraryName(), Map.of(Library.OPTION_FUNCTION_MAPPER, names));
      Native.register(NativeNvml.class, library);
      bound = new NativeNvml();
    }
    return bound;
  }

  static String libraryName() {
    return Platform.isWindows() ? "nvml" : "libnvidia-ml.so.1";
  }

  @Override
  public native int nvmlInit();

  @Override
  public native int nvmlShutdown();

  @Override
  public native String nvmlErrorString(int result);

  @Override
  public native int nvmlDeviceGetHandleByPciBusId(String pciBusId, long[] device);

  @Override
  public native int nvmlDeviceGetUtilizationRates(long device, int[] utilization);

  @Override
  public native int nvmlDeviceGetSamples(
      long device,
      int type,
      long lastSeenTimeStamp,
      int[] sampleValType,
      int[] sampleCount,
      long[] samples);
}
