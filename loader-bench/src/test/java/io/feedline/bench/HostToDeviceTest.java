package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostToDeviceTest {

  private static Run run(String... args) {
    return Run.of(new HostToDevice().commandLine(), args);
  }

  /**
   * Tests whether there is a GPU; only {@code -Pgpu} makes it ask, and call a driver.
   *
   * @throws CudaException if {@code -Dfeedline.gpu.required=true} says that there must be one
   */
  static boolean hasGpu() {
    if (!Boolean.getBoolean("feedline.gpu")) {
      return false;
    }
    try {
      return Cuda.load().deviceCount() > 0;
    } catch (CudaException e) {
      if (Boolean.getBoolean("feedline.gpu.required")) {
        throw e;
      }
      return false;
    }
  }

  @Test
  @EnabledIf(value = "hasGpu", disabledReason = "needs -Pgpu, a GPU and its driver")
  void shouldMeasureEveryWay() {
    Run run = run("--bytes=4096,100000", "--ceiling-bytes=1000000", "--batches=5", "--rounds=3");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSize(7);
    for (CopyKind kind : CopyKind.values()) {
      assertThat(run.out()).anyMatch(line -> line.contains("\"kind\":\"" + kind + "\""));
      assertThat(run.err()).contains("| " + kind + " |");
    }
    assertThat(run.out()).noneMatch(line -> line.contains("\"gb_per_second\":0,"));
  }

  @Test
  @EnabledIf(value = "hasGpu", disabledReason = "needs -Pgpu, a GPU and its driver")
  void shouldRefuseAGpuThatIsNotThere() {
    run("--gpu=1000").requireRefused("the number of GPUs");
  }

  static boolean hasFake() {
    return FakeDriverProcess.isPossible();
  }

  /**
   * The binding, the order of its calls and the bytes that arrive; of figures this says nothing.
   */
  @Test
  @EnabledIf(value = "hasFake", disabledReason = "the fake CUDA driver needs Linux and gcc or cc")
  void shouldCopyEveryWayThroughTheFakeDriver(@TempDir Path scratch) throws Exception {
    Run run =
        FakeDriverProcess.run(
            scratch,
            HostToDevice.class,
            "--bytes=4096,100001",
            "--ceiling-bytes=500000",
            "--batches=7",
            "--rounds=2",
            "--warm-up=1");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSize(7);
    assertThat(run.out()).allMatch(line -> line.contains("\"gpu\":\"Fake CUDA device 0\""));
    for (CopyKind kind : CopyKind.values()) {
      assertThat(run.out())
          .filteredOn(line -> line.contains("\"kind\":\"" + kind + "\""))
          .hasSize(kind == CopyKind.CEILING ? 1 : 2);
    }
    assertThat(run.err()).contains("2 rounds of 7 batches", "| overlapped | 0.1 |");
  }

  @Test
  @EnabledIf(value = "hasFake", disabledReason = "the fake CUDA driver needs Linux and gcc or cc")
  void shouldRefuseAGpuThatTheFakeDriverHasNot(@TempDir Path scratch) throws Exception {
    Run run = FakeDriverProcess.run(scratch, HostToDevice.class, "--gpu=1");
    run.requireRefused("--gpu must be below 1, the number of GPUs, was 1");
  }

  @Test
  @EnabledIf(value = "hasFake", disabledReason = "the fake CUDA driver needs Linux and gcc or cc")
  void shouldSayThatThereIsNoDriver(@TempDir Path scratch) throws Exception {
    FakeDriverProcess.runWithoutFunctions(scratch, HostToDevice.class, "--bytes=4096")
        .requireRefused("cannot measure without a GPU: ", "driver");
  }

  @ParameterizedTest
  @CsvSource({
    "--bytes, 15, must be 16 or more",
    "--bytes, '4096,8', must be 16 or more",
    "--bytes, all, all",
    "--batches, 0, must be 1 or more",
    "--host-slots, 0, must be 1 or more",
    "--ceiling-bytes, 1, must be 16 or more",
    "--gpu, -1, must be 0 or more",
    "--rounds, 0, must be 1 or more",
    "--warm-up, -1, must be 0 or more",
    "--speed, 9, Unknown option",
  })
  void shouldRefuseOptionsThatMakeNoSense(String option, String value, String reason) {
    run(option + "=" + value).requireRefused(option, reason);
  }

  @Test
  void shouldExplainEveryRowAndFigure() {
    Run run = run("--help");
    assertThat(run.exitCode()).isZero();
    String help = String.join("\n", run.out());
    for (CopyKind kind : CopyKind.values()) {
      assertThat(help).contains("  " + kind + " ");
    }
    assertThat(help).contains("gb_per_second", "ratio", "batch_ms", "held_up_us");
  }

  @ParameterizedTest
  @CsvSource({"12080, 12.8", "11040, 11.4", "13000, 13.0"})
  void shouldReadTheDriversVersion(int driver, String version) {
    assertThat(HostToDevice.version(driver)).isEqualTo(version);
  }
}
