package io.feedline.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Measures the packing of a folder of images by two executors of one core each, in a cluster on
 * this machine, and reads back what it has written.
 *
 * <pre>
 *   PackFolder FOLDER OUTPUT FORMAT[,FORMAT...] [NAME=VALUE ...]
 *   PackFolder --make FOLDER IMAGES CLASSES
 * </pre>
 *
 * <p>The first writes {@code OUTPUT/FORMAT} for each format; NAME and VALUE are options of the data
 * source, and {@code partitions=N}, 8 by default. Packing is done twice, since the first job of a
 * cluster starts it; both times are printed, in seconds. The second makes a folder of so many small
 * JPEGs, to measure.
 */
public final class PackFolder {

  private PackFolder() {}

  /** Does what the arguments say. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 4 && arguments[0].equals("--make")) {
      make(Path.of(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
      return;
    }
    if (arguments.length < 3) {
      System.err.println("PackFolder FOLDER OUTPUT FORMAT[,FORMAT...] [NAME=VALUE ...]");
      System.err.println("PackFolder --make FOLDER IMAGES CLASSES");
      System.exit(2);
    }
    Map<String, String> options = new TreeMap<>();
    for (String option : List.of(arguments).subList(3, arguments.length)) {
      options.put(option.split("=", 2)[0], option.split("=", 2)[1]);
    }
    int partitions =
        Integer.parseInt(java.util.Objects.requireNonNullElse(options.remove("partitions"), "8"));
    Path installation = Files.createTempDirectory("feedline-spark");
    try (TestCluster cluster = TestCluster.start(installation)) {
      SparkSession spark = Sessions.on(cluster);
      for (String format : arguments[2].split(",", -1)) {
        pack(spark, arguments[0], arguments[1] + "/" + format, format, partitions, options);
      }
      Sessions.stop();
    }
  }

  private static void pack(
      SparkSession spark,
      String folder,
      String target,
      String format,
      int partitions,
      Map<String, String> options) {
    long[] nanos = new long[3];
    for (int i = 0; i < 2; i++) {
      long begin = System.nanoTime();
      Dataset<Row> files =
          spark
              .read()
              .format("binaryFile")
              .option("recursiveFileLookup", "true")
              .load(folder)
              .coalesce(partitions);
      DataFrameWriter<Row> writer =
          files
              .write()
              .format("feedline")
              .mode("overwrite")
              .option("to", format)
              .option("root", folder)
              .options(options);
      writer.save(target);
      nanos[i] = System.nanoTime() - begin;
    }
    long begin = System.nanoTime();
    Row found =
        spark
            .read()
            .format("feedline")
            .load(target)
            .selectExpr("count(*)", "sum(length(bytes))", "count(distinct key)", "count(label)")
            .first();
    nanos[2] = System.nanoTime() - begin;
    System.out.println(
        String.format(
            Locale.ROOT,
            "%s: %d images of %d bytes, %d keys, %d labels; packed in %.1f and %.1f s, read in %.1f s",
            format,
            found.getLong(0),
            found.getLong(1),
            found.getLong(2),
            found.getLong(3),
            nanos[0] / 1e9,
            nanos[1] / 1e9,
            nanos[2] / 1e9));
  }

  private static void make(Path folder, int images, int classes) throws IOException {
    for (int i = 0; i < classes; i++) {
      Files.createDirectories(folder.resolve("c%03d".formatted(i)));
    }
    for (int i = 0; i < images; i++) {
      Files.write(folder.resolve("c%03d/%07d.jpg".formatted(i % classes, i)), Pictures.jpeg(i));
    }
  }
}
