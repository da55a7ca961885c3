package io.feedline.gpu;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import ai.djl.Device;
import ai.djl.engine.EngineException;
import io.feedline.gpu.internal.EnabledIfDriver;
import io.feedline.gpu.internal.RequiredGpu;
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
 * Lets a class of tests run on GPU 0, through the machine's driver and DJL's PyTorch engine; where
 * there is no driver, no GPU, or the engine cannot use it, it is skipped, or {@linkplain
 * RequiredGpu fails}, and says why. Tests without an engine take {@link EnabledIfDriver}.
 *
 * <p>Such a class has one tag more, its level: {@code cuda-torch}, {@code cuda-stream}, {@code
 * cuda-mutants} or {@code cuda-exit}.
 *
 * <p>The build leaves such classes out, so that it calls no driver; {@code mvn -Pgpu verify} has
 * them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("cuda")
@ExtendWith({EnabledIfDriver.Condition.class, EnabledIfCuda.Condition.class})
public @interface EnabledIfCuda {

  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return RequiredGpu.answer(EnabledIfCuda.class, Condition::attempt);
    }

    private static ConditionEvaluationResult attempt() {
      try {
        Devices.require(Device.gpu(0));
        return enabled("the engine uses gpu(0)");
      } catch (IllegalStateException e) {
        return disabled("no tests on a GPU: " + e.getMessage());
      } catch (EngineException e) {
        return disabled("no tests on a GPU: %s (%s)".formatted(e.getMessage(), e.getCause()));
      }
    }
  }
}
