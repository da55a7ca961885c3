package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;

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
}
