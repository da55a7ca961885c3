package io.feedline.gpu.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.Library;
import com.sun.jna.Native;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FakeCudaControl;
import io.feedline.gpu.internal.FakeLibrary;
import io.feedline.gpu.nvml.GpuMonitor.NvmlException;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link GpuMonitor} through the real binding, against a library in C. */
@EnabledIfFakeCuda
class NativeGpuMonitorTest {

  /** The functions that {@code src/test/native/nvml} has beside NVML's. */
  private interface Control extends Library {
    void fake_nvml_measure(int ordinal, long micros, int percent);

    void fake_nvml_silence(int ordinal);

    void fake_nvml_reset();

    int fake_nvml_users();
  }

  private FakeCudaControl cuda;
  private Control nvml;

  @BeforeEach
  void load() throws IOException {
    cuda = FakeCudaControl.load();
    cuda.devices(3);
    nvml = Native.load(FakeLibrary.NVML.load().getFile().getPath(), Control.class);
  }

  @AfterEach
  void shouldHaveLeftNothing() {
    int users = nvml.fake_nvml_users();
    nvml.fake_nvml_reset();
    cuda.reset();
    assertThat(users).isZero();
  }

  @Test
  void shouldReadTheSamplesOfTheGpuAtTheSamePlaceOnTheBus() {
    nvml.fake_nvml_measure(0, 1_000_000, 100);
    try (GpuMonitor gpu = GpuMonitor.open(0)) {
      assertThat(gpu.hasSamples()).isTrue();
      nvml.fake_nvml_measure(0, 1_166_667, 90);
      nvml.fake_nvml_measure(0, 1_333_333, 45);
      nvml.fake_nvml_measure(1, 1_333_333, 3);
      assertThat(gpu.utilization()).hasValue(67.5);
      assertThat(gpu.utilization()).isEmpty();
      assertThat(gpu).hasToString("GpuMonitor(" + Cuda.load().pciBusId(0) + ")");
    }
  }

  @Test
  void shouldMissNoSampleWhenItPolls() {
    try (GpuMonitor gpu = GpuMonitor.open(0)) {
      for (int i = 1; i <= 100; i++) {
        nvml.fake_nvml_measure(0, i, i);
        if (i % 5 == 0) {
          gpu.poll();
        }
      }
      assertThat(gpu.utilization()).hasValue(50.5);
    }
  }

  @Test
  void shouldTakeThePresentFigureOfAGpuWithoutSamples() {
    try (GpuMonitor gpu = GpuMonitor.open(1)) {
      assertThat(gpu.hasSamples()).isFalse();
      nvml.fake_nvml_measure(1, 1, 20);
      gpu.poll();
      nvml.fake_nvml_measure(1, 2, 40);
      assertThat(gpu.utilization()).hasValue(30);
    }
  }

  @Test
  void shouldTakeThePresentFigureOfAGpuWhoseSamplesStayEmpty() {
    nvml.fake_nvml_silence(0);
    try (GpuMonitor gpu = GpuMonitor.open(0)) {
      assertThat(gpu.hasSamples()).isTrue();
      nvml.fake_nvml_measure(0, 1, 20);
      gpu.poll();
      nvml.fake_nvml_measure(0, 2, 40);
      assertThat(gpu.utilization()).hasValue(30);
      assertThat(gpu.hasSamples()).isFalse();
    }
  }

  @Test
  void shouldTellTheMemory() {
    try (GpuMonitor gpu = GpuMonitor.open(1)) {
      assertThat(gpu.memory()).isEqualTo(new GpuMonitor.Memory(20L << 30, 80L << 30));
    }
  }

  @Test
  void shouldSayWhichGpuIsNotThere() {
    assertThatThrownBy(() -> GpuMonitor.open(3))
        .isInstanceOf(NvmlException.class)
        .hasMessageContainingAll("no GPU 3 to watch", "nvidia-smi -L");
    // CUDA has it, the management library has not.
    assertThatThrownBy(() -> GpuMonitor.open(2))
        .isInstanceOfSatisfying(
            NvmlException.class, e -> assertThat(e.code()).isEqualTo(Nvml.NOT_FOUND))
        .hasMessageContaining("Not Found (6)");
    assertThatThrownBy(() -> GpuMonitor.open("nowhere")).hasMessageContaining("Invalid Argument");
  }
}
