package io.feedline.bench.nvml;

import java.util.ArrayList;
import java.util.List;

/**
 * A management library with one GPU, in memory. Strict: a call before {@code nvmlInit}, after
 * {@code nvmlShutdown} or with a foreign handle is refused, as by the real one.
 */
final class FakeNvml implements Nvml {

  static final String BUS_ID = "0000:1B:00.0";

  private static final long DEVICE = 0x1234_5678_9ABCL;
  private static final int UNINITIALIZED = 1;
  private static final int INVALID_ARGUMENT = 2;

  private record Sample(long micros, long value) {}

  private final List<Sample> remembered = new ArrayList<>();

  /** The number of samples that the driver remembers; 0 for a GPU that keeps none. */
  int capacity = 5;

  /** By the numbers of nvmlValueType_t; the default is unsigned int. */
  int valueType = 1;

  /** The instant reading, in percent. */
  int percentNow;

  /** The function that fails, with {@link #failure}; null for none. */
  String failing;

  int failure = 999;

  /** Successful nvmlInit without their nvmlShutdown. */
  int users;

  /** Has the driver measure; it forgets the oldest sample when it has too many. */
  void measure(long micros, long value) {
    remembered.add(new Sample(micros, value));
    if (remembered.size() > capacity) {
      remembered.remove(0);
    }
  }

  private int result(String function) {
    if (users == 0 && !function.equals("nvmlInit")) {
      return UNINITIALIZED;
    }
    return function.equals(failing) ? failure : 0;
  }

  private int result(String function, long device) {
    int result = result(function);
    return result == 0 && device != DEVICE ? INVALID_ARGUMENT : result;
  }

  @Override
  public int nvmlInit() {
    int result = result("nvmlInit");
    if (result == 0) {
      users++;
    }
    return result;
  }

  @Override
  public int nvmlShutdown() {
    int result = result("nvmlShutdown");
    if (result == 0) {
      users--;
    }
    return result;
  }

  @Override
  public String nvmlErrorString(int result) {
    return "words for " + result;
  }

  @Override
  public int nvmlDeviceGetHandleByPciBusId(String pciBusId, long[] device) {
    int result = result("nvmlDeviceGetHandleByPciBusId");
    if (result != 0) {
      return result;
    }
    if (!pciBusId.equals(BUS_ID)) {
      return NOT_FOUND;
    }
    device[0] = DEVICE;
    return 0;
  }

  @Override
  public int nvmlDeviceGetUtilizationRates(long device, int[] utilization) {
    int result = result("nvmlDeviceGetUtilizationRates", device);
    if (result == 0) {
      utilization[0] = percentNow;
      utilization[1] = 1;
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetSamples(
      long device,
      int type,
      long lastSeenTimeStamp,
      int[] sampleValType,
      int[] sampleCount,
      long[] samples) {
    int result = result("nvmlDeviceGetSamples", device);
    if (result != 0 || capacity == 0) {
      return result == 0 ? NOT_SUPPORTED : result;
    }
    if (type != GPU_UTILIZATION_SAMPLES) {
      return INVALID_ARGUMENT;
    }
    sampleValType[0] = valueType;
    if (samples == null) {
      sampleCount[0] = capacity;
      return 0;
    }
    List<Sample> newer =
        remembered.stream().filter(sample -> sample.micros > lastSeenTimeStamp).toList();
    if (newer.isEmpty()) {
      return NOT_FOUND;
    }
    sampleCount[0] = Math.min(sampleCount[0], newer.size());
    for (int i = 0; i < sampleCount[0]; i++) {
      samples[2 * i] = newer.get(i).micros;
      samples[2 * i + 1] = newer.get(i).value;
    }
    return 0;
  }

  @Override
  public int nvmlDeviceGetMemoryInfo(long device, long[] memory) {
    int result = result("nvmlDeviceGetMemoryInfo", device);
    if (result == 0) {
      memory[0] = 80L << 30;
      memory[1] = 77L << 30;
      memory[2] = 3L << 30;
    }
    return result;
  }
}
