package io.feedline.bench;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips a test, saying why, where a program in C cannot be compiled for want of something. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresNative.Condition.class)
@interface RequiresNative {

  /** Returns the program that the test compiles. */
  NativeProgram value();

  /** Asks the compiler. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return AnnotationSupport.findAnnotation(context.getElement(), RequiresNative.class)
          .map(RequiresNative::value)
          .map(Condition::evaluate)
          .orElseGet(() -> enabled("nothing native is asked for"));
    }

    private static ConditionEvaluationResult evaluate(NativeProgram program) {
      try {
        return program
            .missing()
            .map(ConditionEvaluationResult::disabled)
            .orElseGet(() -> enabled(program + " can be compiled"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
