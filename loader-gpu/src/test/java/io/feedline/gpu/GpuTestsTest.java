package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GpuTestsTest {

  /** Tests to be run by the tests; the build does not, as they are nested. */
  static class Sample {
    @Test
    @Tag("sample-good")
    @Tag("sample-mixed")
    void good() {
      assertThat(2 * 2).isEqualTo(4);
    }

    @Test
    @Tag("sample-bad")
    void bad() {
      throw new IllegalStateException("wrong bytes");
    }

    @Test
    @Tag("sample-disabled")
    @Tag("sample-mixed")
    @Disabled("no driver")
    void disabled() {}

    @Test
    @Tag("sample-aborted")
    void aborted() {
      abort("no samples of NVML");
    }
  }

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int run(String... tagsOrIds) {
    return new GpuTests(new PrintStream(printed, true, StandardCharsets.UTF_8))
        .run("io.feedline.gpu", tagsOrIds);
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void shouldSucceedWhereAllTestsWentWell() {
    assertThat(run("sample-good")).isZero();
    assertThat(printed())
        .contains("ok       GpuTestsTest$Sample, good(), 0.")
        .contains("1 passed, 0 failed, 0 skipped");
  }

  @Test
  void shouldFailWhereATestFailedAndSayHowToRunItAgain() {
    assertThat(run("sample-bad", "sample-good")).isEqualTo(1);
    assertThat(printed())
        .contains("FAILED   GpuTestsTest$Sample, bad()")
        .contains("IllegalStateException: wrong bytes")
        .contains("1 passed, 1 failed, 0 skipped");
    String id =
        printed().lines().filter(line -> line.startsWith("again:")).findFirst().orElseThrow();

    printed.reset();
    assertThat(run(id.replace("again:", "").strip())).isEqualTo(1);
    assertThat(printed()).contains("0 passed, 1 failed, 0 skipped");
  }

  @Test
  void shouldFailWhereATestWasSkipped() {
    assertThat(run("sample-mixed")).isEqualTo(1);
    assertThat(printed())
        .contains("SKIPPED  GpuTestsTest$Sample, disabled(): no driver")
        .contains("1 passed, 0 failed, 1 skipped");
  }

  @Test
  void shouldFailWhereATestWasAborted() {
    assertThat(run("sample-aborted", "sample-good")).isEqualTo(1);
    assertThat(printed())
        .contains("SKIPPED  GpuTestsTest$Sample, aborted(): ")
        .contains("no samples of NVML")
        .contains("1 passed, 0 failed, 1 skipped");
  }

  @Test
  void shouldFailWhereThereIsNoTest() {
    assertThat(run("sample-none")).isEqualTo(1);
    assertThat(printed()).contains("no test has any of these tags: sample-none");
  }

  @Test
  void shouldAskForTags() {
    assertThat(run()).isEqualTo(2);
    assertThat(printed()).contains("cuda-driver");
  }
}
