package io.feedline.spark;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A Spark of two tasks at once in this JVM, for the tests that share it. */
final class TaskSpark implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == SparkSession.class || type == JavaSparkContext.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    SparkSession session =
        SparkSession.builder()
            .master("local[2]")
            .appName("tasks")
            .config("spark.ui.enabled", "false")
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
    return parameter.getParameter().getType() == SparkSession.class
        ? session
        : JavaSparkContext.fromSparkContext(session.sparkContext());
  }
}
