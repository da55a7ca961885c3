package io.feedline.examples.spark;

import org.apache.spark.sql.SparkSession;

/** The Spark session of an example. */
final class LocalSpark {

  private LocalSpark() {}

  /** Returns the session of {@code spark-submit}, or else a local session with two cores. */
  static SparkSession session(String name) {
    SparkSession.Builder builder = SparkSession.builder().appName(name);
    if (System.getProperty("spark.master") == null) {
      builder.master("local[2]").config("spark.ui.enabled", "false");
    }
    return builder.getOrCreate();
  }
}
