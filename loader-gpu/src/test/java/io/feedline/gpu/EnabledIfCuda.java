package io.feedline.gpu;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import ai.djl.Device;
import ai.djl.engine.EngineException;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Lets a class of tests run on GPU 0, through the machine's driver and DJL's PyTorch engine; or
 * skips it, saying why, where there is no driver, no GPU, or the engine cannot use it.
 *
 * <p>The build leaves such classes out, so that it calls no driver; {@code mvn -Pgpu verify} has
 * them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("cuda")
@ExtendWith(EnabledIfCuda.Condition.class)
public @interface EnabledIfCuda {

  /** Tries the driver, then the engine, once for all classes. */
  final class Condition implements ExecutionCondition {
    private static ConditionEvaluationResult result;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      synchronized (Condition.class) {
        if (result == null) {
          result = attempt();
          // Surefire keeps it to its report.
          LoggerFactory.getLogger(EnabledIfCuda.class).warn(result.getReason().orElseThrow());
        }
        return result;
      }
    }

    private static ConditionEvaluationResult attempt() {
      try {
        String name = Cuda.load().deviceName(0);
        Devices.require(Device.gpu(0));
        return enabled("tests run on gpu(0), " + name);
      } catch (CudaException | IllegalStateException e) {
        return disabled("no tests on a GPU: " + e.getMessage());
      } catch (EngineException e) {
        return disabled("no tests on a GPU: %s (%s)".formatted(e.getMessage(), e.getCause()));
      }
    }
  }
}
