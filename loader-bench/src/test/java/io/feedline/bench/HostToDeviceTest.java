package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.gpu.cuda.Cuda;
import io.feedline.gpu.cuda.CudaException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class HostToDeviceTest {

  /** How a run ended and what it printed. */
  private record Run(int exitCode, List<String> out, String err) {

    static Run of(String... args) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      CommandLine command = HostToDevice.commandLine();
      int exitCode =
          command
              .setOut(new PrintWriter(out, true))
              .setErr(new PrintWriter(err, true))
              .execute(args);
      return new Run(exitCode, out.toString().lines().toList(), err.toString());
    }
  }

  static boolean hasGpu() {
    try {
      return Cuda.load().deviceCount() > 0;
    } catch (CudaException e) {
      return false;
    }
  }

  @Test
  @DisabledIf(value = "hasGpu", disabledReason = "here is a GPU")
  void shouldSayThatThereIsNoGpu() {
    Run run = Run.of("--bytes=4096");
    refused(run, "cannot measure without a GPU: ");
    refused(run, "driver");
  }

  @Test
  @EnabledIf(value = "hasGpu", disabledReason = "needs a GPU and its driver")
  void shouldMeasureEveryWay() {
    Run run = Run.of("--bytes=4096,100000", "--ceiling-bytes=1000000", "--batches=5", "--rounds=3");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSize(7);
    for (CopyKind kind : CopyKind.values()) {
      assertThat(run.out()).anyMatch(line -> line.contains("\"kind\":\"" + kind + "\""));
      assertThat(run.err()).contains("| " + kind + " |");
    }
    assertThat(run.out()).noneMatch(line -> line.contains("\"gb_per_second\":0,"));
  }

  @Test
  @EnabledIf(value = "hasGpu", disabledReason = "needs a GPU and its driver")
  void shouldRefuseAGpuThatIsNotThere() {
    refused(Run.of("--gpu=1000"), "the number of GPUs");
  }

  static boolean hasFake() {
    return FakeGpu.missing().isEmpty();
  }

  /**
   * The binding, the order of its calls and the bytes that arrive; of figures this says nothing.
   */
  @Test
  @EnabledIf(value = "hasFake", disabledReason = "the fake CUDA driver needs Linux and gcc")
  void shouldCopyEveryWayThroughTheFakeDriver(@TempDir Path scratch) throws Exception {
    EndedProcess run =
        FakeGpu.run(
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
  @EnabledIf(value = "hasFake", disabledReason = "the fake CUDA driver needs Linux and gcc")
  void shouldRefuseAGpuThatTheFakeDriverHasNot(@TempDir Path scratch) throws Exception {
    EndedProcess run = FakeGpu.run(scratch, HostToDevice.class, "--gpu=1");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains("--gpu must be below 1, the number of GPUs, was 1");
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
    Run run = Run.of(option + "=" + value);
    refused(run, option);
    refused(run, reason);
  }

  @Test
  void shouldExplainEveryRowAndFigure() {
    Run run = Run.of("--help");
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

  private static void refused(Run run, String reason) {
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(reason).doesNotContain("\tat ");
  }
}
