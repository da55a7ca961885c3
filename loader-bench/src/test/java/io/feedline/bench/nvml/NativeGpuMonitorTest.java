package io.feedline.bench.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Library;
import com.sun.jna.Native;
import io.feedline.bench.FakeDriverProcess;
import io.feedline.bench.nvml.GpuMonitor.NvmlException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@link GpuMonitor} through the real binding, against libraries in C, in a JVM of its own. */
@Tag("once")
@EnabledIf(value = "isPossible", disabledReason = "needs Linux and gcc or cc")
class NativeGpuMonitorTest {

  static boolean isPossible() {
    return FakeDriverProcess.isPossible();
  }

  @Test
  void shouldMeasureAsTheLibrarySays(@TempDir Path scratch) throws Exception {
    assertThat(FakeDriverProcess.printedByBoth(scratch, Watched.class))
        .containsExactly(
            "silent true, mean 30.0, then false",
            "samples true, mean 67.5, then empty",
            "a hundred samples, polled: 50.5",
            "without samples false, mean 30.0",
            "memory Memory[usedBytes=21474836480, totalBytes=85899345920]",
            "GPU 3: no GPU 3 to watch",
            "GPU 2: nvmlDeviceGetHandleByPciBusId of GPU 0000:03:00.0 failed",
            "users 0");
  }

  /** Watches the GPUs of the fakes, and prints what it sees. */
  static final class Watched {
    private Watched() {}

    /** The functions that the fake of the driver has beside CUDA's. */
    private interface CudaControl extends Library {
      void fake_cuda_set_devices(int count);
    }

    /** The functions that {@code src/test/native/nvml} has beside NVML's. */
    private interface Control extends Library {
      void fake_nvml_measure(int ordinal, long micros, int percent);

      void fake_nvml_silence(int ordinal);

      void fake_nvml_reset();

      int fake_nvml_users();
    }

    public static void main(String[] args) {
      Native.load("libcuda.so.1", CudaControl.class).fake_cuda_set_devices(3);
      Control nvml = Native.load("libnvidia-ml.so.1", Control.class);
      nvml.fake_nvml_silence(0);
      try (GpuMonitor gpu = GpuMonitor.open(0)) {
        System.out.printf("silent %s, mean %s", gpu.hasSamples(), mean(nvml, gpu, 0));
        System.out.println(", then " + gpu.hasSamples());
      }
      nvml.fake_nvml_reset();
      nvml.fake_nvml_measure(0, 1_000_000, 100);
      try (GpuMonitor gpu = GpuMonitor.open(0)) {
        nvml.fake_nvml_measure(0, 1_166_667, 90);
        nvml.fake_nvml_measure(0, 1_333_333, 45);
        nvml.fake_nvml_measure(1, 1_333_333, 3);
        System.out.printf(
            "samples %s, mean %s, then %s%n",
            gpu.hasSamples(),
            gpu.utilization().getAsDouble(),
            gpu.utilization().isPresent() ? "more" : "empty");
        for (int i = 1; i <= 100; i++) {
          nvml.fake_nvml_measure(0, 2_000_000 + i, i);
          if (i % 5 == 0) {
            gpu.poll();
          }
        }
        System.out.println("a hundred samples, polled: " + gpu.utilization().getAsDouble());
      }
      try (GpuMonitor gpu = GpuMonitor.open(1)) {
        System.out.printf("without samples %s, mean %s%n", gpu.hasSamples(), mean(nvml, gpu, 1));
        System.out.println("memory " + gpu.memory());
      }
      for (int ordinal : List.of(3, 2)) {
        try (GpuMonitor gpu = GpuMonitor.open(ordinal)) {
          System.out.println(gpu);
        } catch (NvmlException e) {
          System.out.printf("GPU %d: %s%n", ordinal, e.getMessage().split("[:;] (?!no)", 2)[0]);
        }
      }
      System.out.println("users " + nvml.fake_nvml_users());
    }

    private static double mean(Control nvml, GpuMonitor gpu, int ordinal) {
      nvml.fake_nvml_measure(ordinal, 1, 20);
      gpu.poll();
      nvml.fake_nvml_measure(ordinal, 2, 40);
      return gpu.utilization().getAsDouble();
    }
  }
}
