package io.feedline.bench;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips a test, saying why, where there is no Python with torch. The command is that of the
 * environment's variable PYTHON, or else python3, also the system's own.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresTorch.Condition.class)
@interface RequiresTorch {

  /** Asks the interpreters, once. */
  final class Condition implements ExecutionCondition {
    private static final Optional<String> PYTHON =
        Stream.of(System.getenv().getOrDefault("PYTHON", "python3"), "/usr/bin/python3")
            .filter(Condition::hasTorch)
            .findFirst();

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

    private static boolean hasTorch(String command) {
      try {
        Process process =
            new ProcessBuilder(command, "-c", "import torch")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor() == 0;
      } catch (IOException e) {
        return false; // there is no such command
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while asking " + command + " for torch", e);
      }
    }
  }
}
