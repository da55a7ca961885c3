package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.LibUtils;
import ai.djl.util.Utils;
import ai.djl.util.passthrough.PassthroughNDManager;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A check whether a device works, by allocating memory on it. DJL's own methods are not enough: DJL
 * makes managers of devices that do not exist, and counts the GPUs that the system's CUDA runtime
 * finds, not those that the engine can use. Thread-safe.
 */
final class Devices {

  private static final String LIBRARIES =
      "PyTorch's libraries for this machine must be on the class path"
          + " (ai.djl.pytorch:pytorch-native-cpu with the classifier of the platform, and"
          + " ai.djl.pytorch:pytorch-jni), or DJL must be able to fetch them, which"
          + " -Dai.djl.offline=true forbids";

  private static final Pattern CUDA_FLAVOR = Pattern.compile("cu(\\d+)\\d(-.*)?");
  private static final Pattern FLAVOR_IN_PATH = Pattern.compile("-(cpu|cu\\d+)-");

  private Devices() {}

  static void require(Device device) {
    try (NDManager manager = newBaseManager(device)) {
      require(manager);
    }
  }

  /** Returns a new manager, or throws an error that names what to install if no engine starts. */
  static NDManager newBaseManager(Device device) {
    try {
      return NDManager.newBaseManager(device);
    } catch (EngineException | LinkageError failure) {
      String cause = failure.getCause() == null ? "" : " (" + failure.getCause().getMessage() + ")";
      throw new IllegalStateException(
          "DJL's engine does not start: %s%s; %s".formatted(failure.getMessage(), cause, LIBRARIES),
          failure);
    }
  }

  /**
   * Checks that a manager's engine can use the manager's device.
   *
   * @throws IllegalStateException if the engine cannot; the message names the devices found
   */
  static void require(NDManager manager) {
    if (manager instanceof PassthroughNDManager) {
      throw new IllegalStateException(
          "DJL finds no engine on the class path; add ai.djl.pytorch:pytorch-engine. " + LIBRARIES);
    }
    Device device = manager.getDevice();
    if (device.equals(Device.cpu())) {
      return;
    }
    try (NDManager attempt = manager.newSubManager()) {
      attempt.zeros(new Shape(1), DataType.UINT8);
    } catch (EngineException | UnsupportedOperationException refusal) {
      Engine engine = manager.getEngine();
      throw new IllegalStateException(
          "no device %s: %s %s has no native library for it, or there is no such device; it finds %d GPUs and would use %s (%s)%s"
              .formatted(
                  device,
                  engine.getEngineName(),
                  engine.getVersion(),
                  engine.getGpuCount(),
                  engine.defaultDevice(),
                  firstSentence(refusal),
                  device.isGpu() ? driverAdvice(Cuda::load, torchFlavor()) : ""),
          refusal);
    }
  }

  /**
   * Returns the driver's version, and the remedy if the driver is too old for PyTorch's library.
   *
   * @param flavor DJL's name of the platform of PyTorch's library, for example {@code cu130} or
   *     {@code cpu}; empty if unknown
   */
  static String driverAdvice(Supplier<Cuda> driver, String flavor) {
    int supported;
    int devices;
    try {
      Cuda cuda = driver.get();
      supported = cuda.driverVersion() / 10;
      devices = cuda.deviceCount();
    } catch (CudaException failure) {
      return "; " + failure.getMessage();
    }
    String told =
        "; NVIDIA's driver has %d GPUs and supports CUDA %d.%d"
            .formatted(devices, supported / 100, supported % 100);
    Matcher cuda = CUDA_FLAVOR.matcher(flavor);
    if (flavor.equals("cpu")) {
      return told + ", and PyTorch's library is the one for CPUs: pytorch-native-cpu must go";
    }
    if (!cuda.matches() || Integer.parseInt(cuda.group(1)) <= supported / 100) {
      return told;
    }
    return told
        + ", and PyTorch's library (%s) needs CUDA %s: take a newer driver%s, or a library for CUDA %d"
            .formatted(flavor, cuda.group(1), oldestDriver(cuda.group(1)), supported / 100);
  }

  /**
   * Returns the oldest driver for a CUDA version (NVIDIA, "CUDA Compatibility", table of minor
   * version compatibility).
   */
  private static String oldestDriver(String cuda) {
    return switch (cuda) {
      case "11" -> " (450 or later)";
      case "12" -> " (525 or later)";
      case "13" -> " (580 or later)";
      default -> "";
    };
  }

  /** Returns DJL's name of the platform of PyTorch's library; empty if unknown. */
  private static String torchFlavor() {
    String named = Utils.getEnvOrSystemProperty("PYTORCH_FLAVOR");
    if (named != null) {
      return named;
    }
    try {
      Matcher found = FLAVOR_IN_PATH.matcher(String.valueOf(LibUtils.getLibtorchPath()));
      return found.find() ? found.group(1) : "";
    } catch (LinkageError otherEngine) {
      return "";
    }
  }

  static String names(List<NDManager> managers) {
    return managers.stream().map(m -> m.getDevice().toString()).collect(Collectors.joining(", "));
  }

  /** Returns the first sentence of a message, since PyTorch's messages fill a screen. */
  private static String firstSentence(RuntimeException refusal) {
    String message = String.valueOf(refusal.getMessage());
    int end = message.indexOf(". ");
    return message.substring(0, end < 0 ? Math.min(message.length(), 200) : end);
  }
}
