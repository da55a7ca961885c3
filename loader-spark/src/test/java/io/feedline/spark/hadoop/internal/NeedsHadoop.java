package io.feedline.spark.hadoop.internal;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.condition.EnabledIf;

/** Tests of Hadoop's file systems, and of Spark, which begins with one of them. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
    value = "io.feedline.spark.hadoop.internal.NeedsHadoop$Check#runs",
    disabledReason = "Hadoop 3.3, which Spark 3.5 has, does not run on Java 24 and later")
public @interface NeedsHadoop {

  /** Asks Hadoop. */
  final class Check {

    private Check() {}

    static boolean runs() throws IOException {
      try {
        return UserGroupInformation.getCurrentUser() != null;
      } catch (UnsupportedOperationException withoutSecurityManagers) {
        return false;
      }
    }
  }
}
