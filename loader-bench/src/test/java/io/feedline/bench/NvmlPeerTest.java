package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code peers/nvml.py} against the fake libraries that tests compile, and holds that it
 * measures as {@code GpuMonitor} does.
 */
@Tag("once")
@EnabledIf(value = "isPossible", disabledReason = "needs python3, Linux and gcc or cc")
class NvmlPeerTest {
  private static final String BEGIN =
      """
      import ctypes, nvml
      nvml.time.monotonic = lambda: now[0]
      now = [0.0]
      ctypes.CDLL("libcuda.so.1").fake_cuda_set_devices(3)
      fake = ctypes.CDLL("libnvidia-ml.so.1")
      def measure(ordinal, micros, percent):
          fake.fake_nvml_measure(ordinal, ctypes.c_int64(micros), percent)
      """;

  @TempDir private Path scratch;

  static boolean isPossible() {
    return Python.isThere() && FakeDriverProcess.isPossible();
  }

  private void requirePrinted(String program, String... lines) throws Exception {
    Run run = FakeDriverProcess.python(scratch, BEGIN + program);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).containsExactly(lines);
  }

  @Test
  void shouldGiveTheMeanOfTheDriversSamplesSinceTheLastCall() throws Exception {
    requirePrinted(
        """
        measure(0, 1000000, 100)
        gpu = nvml.Monitor(0)
        gpu.poll()
        for i in range(1, 101):
            measure(0, 1000000 + i, i)
            if i % 5 == 0:
                gpu.poll()
        print(gpu.utilization(), gpu.has_samples)
        print(gpu.utilization())
        now[0] += 1
        print(gpu.utilization(), gpu.has_samples)
        gpu.close()
        print(fake.fake_nvml_users())
        """,
        "50.5 True", "None", "100.0 False", "0");
  }

  @Test
  void shouldTakeThePresentFigureOfAGpuThatGivesNoSamples() throws Exception {
    requirePrinted(
        """
        fake.fake_nvml_silence(0)
        for ordinal in (0, 1):  # one promises samples, the other does not
            gpu = nvml.Monitor(ordinal)
            measure(ordinal, 1, 20)
            gpu.poll()
            measure(ordinal, 2, 40)
            print(gpu.utilization(), gpu.has_samples)
            gpu.close()
        print(fake.fake_nvml_users())
        """,
        "30.0 False",
        "30.0 False",
        "0");
  }

  @Test
  void shouldSayWhyAGpuCannotBeWatched() throws Exception {
    requirePrinted(
        """
        for ordinal in (2, 3):
            try:
                nvml.Monitor(ordinal)
            except nvml.NvmlError as e:
                print(e)
        nvml.LIBRARY = "libno-such.so.1"
        try:
            nvml.Monitor(0)
        except nvml.NvmlError as e:
            print(e)
        print(fake.fake_nvml_users())
        """,
        "nvmlDeviceGetHandleByPciBusId of GPU 0000:03:00.0 failed: Not Found (6)",
        "CUDA does not say where GPU 3 is: code 101",
        "no libno-such.so.1: libno-such.so.1: cannot open shared object file: No such file or directory",
        "0");
  }

  /**
   * The peer's figures equal those that {@link UtilizationTest} and {@link StepTurnsTest} expect of
   * ours.
   */
  @Test
  void shouldWatchStepsOfBothKindsApart() throws Exception {
    requirePrinted(
        """
        import train_step
        calls = []
        class Loss:
            def item(self):
                calls.append("wait")
                return 1.0
        class Training:
            def step(self, images, labels):
                calls.append(images)
                now[0] += 0.1
                return Loss()
        class Batches:
            def next(self, waits):
                return "loaded", "labels"
        class Gpu:
            has_samples = True
            def poll(self):
                calls.append("poll")
            def utilization(self):
                calls.append("ask")
                return float(len(calls))
        train_step.time.perf_counter = lambda: now[0]
        turns = train_step.Turns.__new__(train_step.Turns)
        turns.training, turns.batches, turns.lead, turns.images, turns.labels = (
            Training(), Batches(), 1, "synthetic", "labels")
        line = turns.watch(Gpu(), 0.45)
        for value in line.values():
            print(round(value, 3) if isinstance(value, float) else value)
        print(*calls[: len(calls) // 2])
        print(*calls[len(calls) // 2 :])
        """,
        "12.0",
        "24.0",
        "0.6",
        "samples",
        "None",
        "loaded wait ask loaded loaded loaded poll loaded loaded loaded wait ask",
        "synthetic wait ask synthetic synthetic synthetic poll synthetic synthetic synthetic wait ask");
  }
}
