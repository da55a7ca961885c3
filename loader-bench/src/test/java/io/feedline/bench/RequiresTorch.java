package io.feedline.bench;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a test, saying why, where there is no {@link Python} with torch. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresTorch.Condition.class)
@interface RequiresTorch {

  /** Asks the interpreters, once. */
  final class Condition implements ExecutionCondition {
    private static final Optional<String> PYTHON = Python.having("torch");

    /** The command, which the condition has found. */
    static String python() {
      return PYTHON.orElseThrow();
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return PYTHON
          .map(command -> enabled(command + " has torch"))
          .orElseGet(() -> disabled("no python3 with torch; PYTHON names one that has"));
    }
  }
}
