package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.util.passthrough.PassthroughNDManager;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A check of whether an engine can use a device, by using it: DJL makes managers of devices that do
 * not exist, and its count of GPUs asks the CUDA runtime of the system, not the engine's own.
 * Thread-safe.
 */
final class Devices {

  private static final String LIBRARIES =
      "PyTorch's libraries for this machine must be on the class path"
          + " (ai.djl.pytorch:pytorch-native-cpu with the classifier of the platform, and"
          + " ai.djl.pytorch:pytorch-jni), or DJL must be able to fetch them, which"
          + " -Dai.djl.offline=true forbids";

  private Devices() {}

  /** Does what {@link DeviceLoader#requireDevice} says. */
  static void require(Device device) {
    try (NDManager manager = newBaseManager(device)) {
      require(manager);
    }
  }

  /**
   * A manager of DJL's default engine.
   *
   * @throws IllegalStateException if the engine does not start
   */
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
   * @throws IllegalStateException if it cannot, naming the device and what was found instead
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
          "no device %s: %s %s has no native library for it, or there is no such device; it finds %d GPUs and would use %s (%s)"
              .formatted(
                  device,
                  engine.getEngineName(),
                  engine.getVersion(),
                  engine.getGpuCount(),
                  engine.defaultDevice(),
                  firstSentence(refusal)),
          refusal);
    }
  }

  /** Some managers' devices for people, for example {@code gpu(0), gpu(1)}. */
  static String names(List<NDManager> managers) {
    return managers.stream().map(m -> m.getDevice().toString()).collect(Collectors.joining(", "));
  }

  /** PyTorch's messages are a screen long. */
  private static String firstSentence(RuntimeException refusal) {
    String message = String.valueOf(refusal.getMessage());
    int end = message.indexOf(". ");
    return message.substring(0, end < 0 ? Math.min(message.length(), 200) : end);
  }
}
