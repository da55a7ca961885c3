package io.feedline.gpu.internal;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets a class of tests find the fake driver of {@code src/test/native} under the name {@code
 * libcuda.so.1}, in a JVM of its own; or skips it, saying why, where there can be none: elsewhere
 * than on Linux, or for want of a C compiler. {@link FakeCudaControl#load()} is how the test speaks
 * to it.
 *
 * <p>The class must not touch the driver in a static initializer, which may run before this.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("fake-driver")
@ExtendWith(EnabledIfFakeCuda.Condition.class)
public @interface EnabledIfFakeCuda {

  /** Compiles the fake if need be, and loads it before anyone asks for a driver. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      try {
        Optional<String> missing = FakeLibrary.missing();
        if (missing.isPresent()) {
          return disabled(missing.get());
        }
        FakeCudaControl.load();
        return enabled("libcuda.so.1 is the fake driver");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
