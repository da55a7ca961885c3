package io.feedline.bench.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.bench.nvml.GpuMonitor.NvmlException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GpuMonitorTest {

  private final FakeNvml nvml = new FakeNvml();

  @AfterEach
  void shouldHaveShutDownWhatItInitialized() {
    assertThat(nvml.users).isZero();
  }

  private long nanos;

  private GpuMonitor open() {
    return open(FakeNvml.BUS_ID);
  }

  private GpuMonitor open(String busId) {
    return GpuMonitor.open(nvml, busId, () -> nanos);
  }

  @Test
  void shouldGiveTheMeanOfTheDriversSamplesSinceTheLastCall() {
    try (GpuMonitor gpu = open()) {
      nvml.measure(100, 90);
      nvml.measure(200, 60);
      assertThat(gpu.hasSamples()).isTrue();
      assertThat(gpu.utilization()).hasValue(75);

      nvml.measure(300, 10);
      assertThat(gpu.utilization()).hasValue(10);
    }
  }

  @Test
  void shouldNotCountWhatWasMeasuredBeforeItWasOpened() {
    nvml.measure(100, 100);
    nvml.measure(200, 100);
    try (GpuMonitor gpu = open()) {
      nvml.measure(300, 20);
      assertThat(gpu.utilization()).hasValue(20);
    }
  }

  @Test
  void shouldSayNothingOfATimeTooShortForASample() {
    nvml.percentNow = 70; // of before
    nvml.measure(100, 100);
    try (GpuMonitor gpu = open()) {
      nanos = GpuMonitor.LONGEST_PERIOD_NANOS - 1;
      assertThat(gpu.utilization()).isEmpty();
      nvml.measure(200, 40);
      assertThat(gpu.utilization()).hasValue(40);
      nanos += GpuMonitor.LONGEST_PERIOD_NANOS - 1;
      assertThat(gpu.utilization()).isEmpty();
      assertThat(gpu.hasSamples()).isTrue();
    }
  }

  @Test
  void shouldTakeThePresentFigureWhereSamplesArePromisedAndNeverCome() {
    try (GpuMonitor gpu = open()) {
      assertThat(gpu.hasSamples()).isTrue();
      nvml.percentNow = 30;
      gpu.poll();
      nvml.percentNow = 80;
      gpu.poll();
      nvml.percentNow = 100;
      assertThat(gpu.utilization()).hasValue(70);
      assertThat(gpu.hasSamples()).isFalse();
      nvml.percentNow = 10;
      assertThat(gpu.utilization()).hasValue(10);
    }
  }

  @Test
  void shouldTakeThePresentFigureWhenSamplesComeNoMore() {
    try (GpuMonitor gpu = open()) {
      nvml.measure(100, 90);
      assertThat(gpu.utilization()).hasValue(90);

      nvml.percentNow = 20;
      gpu.poll();
      nvml.percentNow = 40;
      nanos = GpuMonitor.LONGEST_PERIOD_NANOS;
      assertThat(gpu.utilization()).hasValue(30);
      assertThat(gpu.hasSamples()).isFalse();
    }
  }

  @Test
  void shouldNotMixPresentFiguresIntoAMeanOfSamples() {
    try (GpuMonitor gpu = open()) {
      nvml.percentNow = 1;
      gpu.poll();
      nvml.measure(100, 90);
      gpu.poll();
      nvml.measure(200, 80);
      nanos = 5 * GpuMonitor.LONGEST_PERIOD_NANOS;
      assertThat(gpu.utilization()).hasValue(85);
      assertThat(gpu.hasSamples()).isTrue();
    }
  }

  @Test
  void shouldDoWithSamplesAloneWhereThereIsNoPresentFigure() {
    nvml.failing = "nvmlDeviceGetUtilizationRates";
    nvml.failure = Nvml.NOT_SUPPORTED;
    try (GpuMonitor gpu = open()) {
      assertThat(gpu.utilization()).isEmpty();
      nvml.measure(100, 90);
      assertThat(gpu.utilization()).hasValue(90);
    }
  }

  @Test
  void shouldMissNoSampleThatWasPolledBeforeTheDriverForgotIt() {
    nvml.capacity = 2;
    try (GpuMonitor polled = open();
        GpuMonitor left = open()) {
      long sum = 0;
      for (int i = 1; i <= 10; i++) {
        nvml.measure(i, 10L * i);
        sum += 10L * i;
        polled.poll();
      }
      assertThat(polled.utilization()).hasValue(sum / 10.0);
      assertThat(left.utilization()).hasValue((90 + 100) / 2.0);
    }
  }

  @Test
  void shouldTakeThePresentFigureWhereThereAreNoSamples() {
    nvml.capacity = 0;
    try (GpuMonitor gpu = open()) {
      assertThat(gpu.hasSamples()).isFalse();
      nvml.percentNow = 30;
      gpu.poll();
      nvml.percentNow = 50;
      assertThat(gpu.utilization()).hasValue(40);
      assertThat(gpu.utilization()).hasValue(50);
    }
  }

  /** The bytes beyond a short value are whatever was there before. */
  @ParameterizedTest
  @CsvSource({
    "0, 4045800000000000, 43.0", // double
    "1, DEADBEEF0000002B, 43", // unsigned int
    "3, 000000000000002B, 43", // unsigned long long
    "4, 000000000000002B, 43", // signed long long
    "5, DEADBEEF0000002B, 43", // signed int
    "6, DEADBEEFDEAD002B, 43", // unsigned short
  })
  void shouldReadEveryTypeOfValue(int type, String union, double percent) {
    nvml.valueType = type;
    try (GpuMonitor gpu = open()) {
      nvml.measure(1, Long.parseUnsignedLong(union, 16));
      assertThat(gpu.utilization()).hasValue(percent);
    }
  }

  @Test
  void shouldRefuseATypeOfValueThatItDoesNotKnow() {
    nvml.valueType = 7;
    try (GpuMonitor gpu = open()) {
      nvml.measure(1, 1);
      assertThatThrownBy(gpu::utilization).hasMessageContaining("value type 7");
    }
  }

  @Test
  void shouldSayWhichGpuIsNotThere() {
    assertThatThrownBy(() -> open("0000:FF:00.0"))
        .isInstanceOf(NvmlException.class)
        .hasMessage(
            "nvmlDeviceGetHandleByPciBusId of GPU 0000:FF:00.0 failed: words for 6 (6);"
                + " nvidia-smi -L lists the GPUs that there are");
  }

  @Test
  void shouldSayWhyTheLibraryCannotBeUsed() {
    assertThat(
            NvmlException.noLibrary(
                new UnsatisfiedLinkError(
                    "Unable to load library 'libnvidia-ml.so.1':\nlibnvidia-ml.so.1: no such file\nmore")))
        .hasMessageStartingWith("no NVML: libnvidia-ml.so.1: no such file; ")
        .hasMessageContaining("NVIDIA_DRIVER_CAPABILITIES");
    assertThat(NvmlException.noLibrary(new UnsatisfiedLinkError("undefined symbol: nvmlInit_v2")))
        .hasMessageStartingWith("no NVML: undefined symbol: nvmlInit_v2; ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nvmlInit", "nvmlDeviceGetHandleByPciBusId"})
  void shouldFailToOpenWithTheLibrarysReason(String function) {
    nvml.failing = function;
    assertThatThrownBy(this::open)
        .isInstanceOf(NvmlException.class)
        .hasMessageContainingAll(function, "words for 999 (999)");
  }

  @Test
  void shouldFailToOpenAGpuThatTellsNothing() {
    nvml.capacity = 0;
    nvml.failing = "nvmlDeviceGetUtilizationRates";
    nvml.failure = Nvml.NOT_SUPPORTED;
    assertThatThrownBy(this::open).isInstanceOf(NvmlException.class).hasMessageContaining("MIG");
  }

  @ParameterizedTest
  @CsvSource({
    "nvmlDeviceGetSamples, 15, the machine must be restarted",
    "nvmlDeviceGetUtilizationRates, 15, the machine must be restarted",
  })
  void shouldTellWhenAGpuIsLost(String function, int failure, String words) {
    try (GpuMonitor gpu = open()) {
      nvml.failing = function;
      nvml.failure = failure;
      assertThatThrownBy(gpu::poll)
          .isInstanceOf(NvmlException.class)
          .hasMessageContainingAll(function, FakeNvml.BUS_ID, words);
    }
  }

  @Test
  void shouldRefuseUseAfterClose() {
    GpuMonitor gpu = open();
    GpuMonitor other = open();

    gpu.close();
    gpu.close();

    assertThat(nvml.users).isEqualTo(1);
    other.poll();
    other.close();
    assertThatThrownBy(gpu::poll)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the monitor of GPU 0000:1B:00.0 is closed");
    assertThatThrownBy(gpu::utilization).isInstanceOf(IllegalStateException.class);
  }

  /**
   * A management library with one GPU, in memory. Strict: a call before {@code nvmlInit}, after
   * {@code nvmlShutdown} or with a foreign handle is refused, as by the real one.
   */
  private static final class FakeNvml implements Nvml {

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
  }
}
