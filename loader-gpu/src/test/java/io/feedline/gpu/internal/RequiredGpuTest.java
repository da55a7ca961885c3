package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequiredGpuTest {

  private static final String FAILURE =
      "no GPU here; -Dfeedline.gpu.required=true makes a failure of what is skipped otherwise";

  @Test
  void shouldSkipWhatNeedNotRun() {
    ConditionEvaluationResult missing = disabled("no GPU here");

    assertThat(RequiredGpu.answer(missing, false)).isSameAs(missing);
    assertThat(RequiredGpu.abort("no GPU here", false)).hasMessage("no GPU here");
  }

  @Test
  void shouldFailWhatMustRun() {
    assertThatThrownBy(() -> RequiredGpu.answer(disabled("no GPU here"), true))
        .isInstanceOf(AssertionError.class)
        .hasMessage(FAILURE);
    assertThatThrownBy(() -> RequiredGpu.abort("no GPU here", true))
        .isInstanceOf(AssertionError.class)
        .hasMessage(FAILURE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRunWhatCanRun(boolean required) {
    ConditionEvaluationResult present = enabled("a GPU");

    assertThat(RequiredGpu.answer(present, required)).isSameAs(present);
  }

  @Test
  void shouldAskTheProperty() {
    String before = System.getProperty(RequiredGpu.PROPERTY);
    try {
      System.setProperty(RequiredGpu.PROPERTY, "false");
      assertThat(RequiredGpu.abort("no GPU here")).hasMessage("no GPU here");
      System.setProperty(RequiredGpu.PROPERTY, "true");
      assertThatThrownBy(() -> RequiredGpu.abort("no GPU here")).isInstanceOf(AssertionError.class);
    } finally {
      if (before == null) {
        System.clearProperty(RequiredGpu.PROPERTY);
      } else {
        System.setProperty(RequiredGpu.PROPERTY, before);
      }
    }
  }

  @Test
  void shouldTryOnceForAllClasses() {
    AtomicInteger attempts = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      RequiredGpu.answer(
          Override.class, () -> enabled("attempt %d".formatted(attempts.incrementAndGet())));
    }
    assertThat(attempts).hasValue(1);
  }

  @Test
  void shouldTellWhichGpuThereIs() {
    ConditionEvaluationResult found =
        EnabledIfDriver.Condition.attempt(FakeDriver.of(Schedule.eager())::cuda);

    assertThat(found.isDisabled()).isFalse();
    assertThat(found.getReason()).hasValueSatisfying(reason -> assertThat(reason).contains("GPU"));
  }

  @Test
  void shouldTellWhyThereIsNone() {
    FakeDriver driver = FakeDriver.of(Schedule.eager());
    driver.fail("cuInit", 1, 100);

    ConditionEvaluationResult found = EnabledIfDriver.Condition.attempt(driver::cuda);

    assertThat(found.isDisabled()).isTrue();
    assertThat(found.getReason())
        .hasValueSatisfying(
            reason ->
                assertThat(reason)
                    .startsWith("no tests on a GPU: cuInit failed: CUDA_ERROR_NO_DEVICE (100); "));
  }
}
