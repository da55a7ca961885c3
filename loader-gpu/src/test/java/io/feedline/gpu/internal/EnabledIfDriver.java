package io.feedline.gpu.internal;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import io.feedline.gpu.cuda.CudaException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets a class of tests run on GPU 0 through the machine's driver; without a driver it is skipped,
 * or {@linkplain RequiredGpu fails}, and says why. Nothing of DJL is needed or loaded: such tests
 * are the level {@code cuda-driver}.
 *
 * <p>The build leaves such classes out, so that it calls no driver; {@code mvn -Pgpu verify} has
 * them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("cuda")
@Tag("cuda-driver")
@ExtendWith(EnabledIfDriver.Condition.class)
public @interface EnabledIfDriver {

  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return RequiredGpu.answer(EnabledIfDriver.class, Condition::attempt);
    }

    private static ConditionEvaluationResult attempt() {
      try {
        return enabled("GPU 0 is " + Cuda.load().deviceName(0));
      } catch (CudaException e) {
        return disabled("no tests on a GPU: " + e.getMessage());
      }
    }
  }
}
