package io.feedline.examples.spark;

import org.apache.spark.sql.SparkSession;

/** The session of a program. */
final class LocalSpark {

  private LocalSpark() {}

  /** Returns the session of {@code spark-submit}, or a session with two cores in this JVM. */
  static SparkSession session(String name) {
    SparkSession.Builder builder = SparkSession.builder().appName(name);
    if (System.getProperty("spark.master") == null) {
      builder.master("local[2]").config("spark.ui.enabled", "false");
    }
    return builder.getOrCreate();
  }
}
