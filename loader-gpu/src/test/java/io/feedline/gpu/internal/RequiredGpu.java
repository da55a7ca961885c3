package io.feedline.gpu.internal;

import java.lang.annotation.Annotation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.slf4j.LoggerFactory;

/**
 * The rule for tests that need a GPU and cannot run: they are skipped and say why; with {@code
 * -Dfeedline.gpu.required=true} they fail with the same reason, so that a machine on which nothing
 * ran is not taken for one on which everything passed.
 */
public final class RequiredGpu {

  public static final String PROPERTY = "feedline.gpu.required";

  private static final Map<Class<?>, ConditionEvaluationResult> ANSWERS = new ConcurrentHashMap<>();

  private RequiredGpu() {}

  /**
   * Returns the answer of a condition, which is found out once for all classes and logged then.
   *
   * @param annotation whose condition it is
   * @throws AssertionError with the reason, if tests are disabled that must run
   */
  public static ConditionEvaluationResult answer(
      Class<? extends Annotation> annotation, Supplier<ConditionEvaluationResult> attempt) {
    ConditionEvaluationResult found =
        ANSWERS.computeIfAbsent(annotation, missing -> logged(missing, attempt.get()));
    if (found.isDisabled() && Boolean.getBoolean(PROPERTY)) {
      throw new AssertionError(
          "%s; -D%s=true makes a failure of what is skipped otherwise"
              .formatted(found.getReason().orElseThrow(), PROPERTY));
    }
    return found;
  }

  private static ConditionEvaluationResult logged(
      Class<?> annotation, ConditionEvaluationResult found) {
    LoggerFactory.getLogger(annotation).warn(found.getReason().orElseThrow());
    return found;
  }
}
