package io.feedline.spark;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apache.spark.package$;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tests of what needs Spark or its Hadoop: skipped where this version of it does not run on this
 * JVM.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RunsHere.Condition.class)
public @interface RunsHere {

  /** Spark 3.5 has Hadoop 3.3, which calls what JDK 24 has taken away. */
  final class Condition implements ExecutionCondition {
    private static final int LAST_OF_SPARK_3 = 23;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      String spark = package$.MODULE$.SPARK_VERSION();
      int jdk = Runtime.version().feature();
      return spark.startsWith("3.") && jdk > LAST_OF_SPARK_3
          ? ConditionEvaluationResult.disabled(
              "Spark %s does not run on JDK %s: its Hadoop calls Subject.getSubject, which is gone since 24"
                  .formatted(spark, jdk))
          : ConditionEvaluationResult.enabled("Spark %s runs on JDK %s".formatted(spark, jdk));
    }
  }
}
