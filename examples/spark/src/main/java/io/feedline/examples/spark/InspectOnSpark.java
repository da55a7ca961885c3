package io.feedline.examples.spark;

import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Counts the images of a store of any format with all executors: {@code InspectOnSpark [STORE]}.
 * Without an argument it inspects generated images.
 */
public final class InspectOnSpark {

  private InspectOnSpark() {}

  /** Prints the number of images of each class, and the keys of broken images. */
  public static void main(String[] args) throws Exception {
    String store =
        args.length == 0
            ? ColorImages.writeTo(Path.of("examples/spark/target/inspect"), 60).toUri().toString()
            : args[0];
    try (SparkSession spark = LocalSpark.session("InspectOnSpark")) {
      Dataset<Row> images = spark.read().format("feedline").load(store);
      images.groupBy("class").count().show(); // reads no image if the format stores classes
      images.where("width is null").select("key").show(); // reads the images' headers
    }
  }
}
