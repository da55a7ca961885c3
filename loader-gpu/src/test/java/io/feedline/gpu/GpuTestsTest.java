package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;

import io.feedline.gpu.internal.RequiredGpu;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuTestsTest {

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

  @ParameterizedTest
  @CsvSource({
    "sample-good, 0, 'ok       GpuTestsTest$Sample, good(), 0.', '1 passed, 0 failed, 0 skipped'",
    "sample-mixed, 1, 'Sample, disabled(): no driver', '1 passed, 0 failed, 1 skipped'",
    "sample-aborted, 1, 'no samples of NVML', '0 passed, 0 failed, 1 skipped'",
    "sample-none, 1, 'no test has any of these tags: sample-none', ''"
  })
  void shouldSucceedOnlyWhereTestsRanAndAllWentWell(
      String tag, int status, String line, String sum) {
    assertThat(run(tag)).isEqualTo(status);
    assertThat(printed()).contains(line, sum);
  }

  @Test
  void shouldAskForTags() {
    assertThat(run()).isEqualTo(2);
    assertThat(printed()).contains("cuda-driver");
  }

  @Test
  void shouldFailWhatMustRunAndSkipItOtherwise() {
    String before = System.getProperty(RequiredGpu.PROPERTY);
    try {
      System.clearProperty(RequiredGpu.PROPERTY);
      assertThat(answer()).hasValue("no GPU here");
      System.setProperty(RequiredGpu.PROPERTY, "true");
      assertThatThrownBy(this::answer)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("no GPU here; -Dfeedline.gpu.required=true makes a failure");
    } finally {
      System.clearProperty(RequiredGpu.PROPERTY);
      if (before != null) {
        System.setProperty(RequiredGpu.PROPERTY, before);
      }
    }
  }

  private Optional<String> answer() {
    return RequiredGpu.answer(Tag.class, () -> disabled("no GPU here")).getReason();
  }
}
