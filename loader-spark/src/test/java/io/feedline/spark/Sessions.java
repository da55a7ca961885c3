package io.feedline.spark;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Sessions of Spark, one at a time: a JVM has one context. */
final class Sessions {

  private static SparkSession session;
  private static String master;

  private Sessions() {}

  /** A session with two cores in this JVM, whose tasks may fail once. */
  static SparkSession local() {
    return get("local[2,2]", "");
  }

  /** A session with the executors of a cluster; its tasks may fail three times. */
  static SparkSession on(TestCluster cluster) {
    return get(cluster.master(), TestCluster.classPath());
  }

  private static synchronized SparkSession get(String wanted, String classPath) {
    if (session == null || !wanted.equals(master)) {
      stop();
      // One that another test has begun.
      if (SparkSession.getDefaultSession().isDefined()) {
        SparkSession.getDefaultSession().get().stop();
      }
      session = builder(wanted, classPath).getOrCreate();
      master = wanted;
    }
    return session;
  }

  private static SparkSession.Builder builder(String master, String classPath) {
    return SparkSession.builder()
        .appName("feedline")
        .master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
        .config("spark.executor.extraClassPath", classPath)
        .config("spark.executor.memory", "512m")
        .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.speculation", "true")
        .config("spark.speculation.interval", "10ms")
        .config("spark.speculation.quantile", "0.5")
        .config("spark.speculation.multiplier", "3");
  }

  static synchronized void stop() {
    if (session != null) {
      session.stop();
      session = null;
    }
  }

  /** Resolves a session of two tasks at once, for the tests that share it. */
  static final class Resolver implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      Class<?> type = parameter.getParameter().getType();
      return type == SparkSession.class || type == JavaSparkContext.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      SparkSession session = local();
      return parameter.getParameter().getType() == SparkSession.class
          ? session
          : JavaSparkContext.fromSparkContext(session.sparkContext());
    }
  }
}
