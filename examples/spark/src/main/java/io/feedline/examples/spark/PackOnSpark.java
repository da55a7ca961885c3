package io.feedline.examples.spark;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Packs a folder of images with all executors: {@code PackOnSpark FOLDER STORE [NAME=VALUE ...]}.
 *
 * <p>FOLDER has a subfolder of images for each class. NAME=VALUE is an option of the data source,
 * such as {@code to=mds}, {@code shardSize=256M} or {@code resize=256}, or {@code partitions=N}.
 * Each partition makes its own shards, so N should not be much larger than the number of the
 * executors' cores, the default. Without arguments it packs generated images.
 */
public final class PackOnSpark {

  private PackOnSpark() {}

  /** Packs, and prints the number of images, the time, and the processor time. */
  public static void main(String[] args) throws Exception {
    if (args.length == 1) {
      throw new IllegalArgumentException("PackOnSpark FOLDER STORE [NAME=VALUE ...]");
    }
    Path made = Path.of("examples/spark/target/pack");
    String folder =
        args.length == 0
            ? ColorImages.writeTo(made.resolve("images"), 60).toUri().toString()
            : args[0];
    String store = args.length == 0 ? made.resolve("store").toUri().toString() : args[1];
    Map<String, String> options = new LinkedHashMap<>(Map.of("to", "webdataset"));
    for (int i = 2; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("an option is NAME=VALUE, was " + args[i]);
      }
      options.put(args[i].substring(0, equals), args[i].substring(equals + 1));
    }
    try (SparkSession spark = LocalSpark.session("PackOnSpark")) {
      long start = System.nanoTime();
      pack(spark, folder, store, partitions(spark, options.remove("partitions")), options);
      double seconds = (System.nanoTime() - start) / 1e9;
      Map<Long, Double> processes = processorSeconds(spark);
      System.out.printf(
          Locale.ROOT,
          "%s: %d images in %.2f s, %.2f s of processor time, JVMs: %d%n",
          store,
          spark.read().format("feedline").load(store).count(),
          seconds,
          processes.values().stream().mapToDouble(each -> each).sum(),
          processes.size());
    }
  }

  /** Writes a folder of classes as a store; replaces an existing store. */
  static void pack(
      SparkSession spark,
      String folder,
      String store,
      int partitions,
      Map<String, String> options) {
    Dataset<Row> files =
        spark.read().format("binaryFile").option("recursiveFileLookup", true).load(folder);
    files
        .coalesce(partitions)
        .write()
        .format("feedline")
        .option("root", folder)
        .options(options)
        .mode("overwrite")
        .save(store);
  }

  private static int partitions(SparkSession spark, String option) {
    return option == null ? spark.sparkContext().defaultParallelism() : Integer.parseInt(option);
  }

  /** Returns the CPU seconds of this JVM and of the executors since their start, by process. */
  private static Map<Long, Double> processorSeconds(SparkSession spark) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    int tasks = 8 * context.defaultParallelism();
    Map<Long, Double> seconds =
        new LinkedHashMap<>(
            context
                .parallelize(IntStream.range(0, tasks).boxed().collect(Collectors.toList()), tasks)
                .map(task -> own())
                .collect()
                .stream()
                .collect(Collectors.toMap(Own::process, Own::seconds, Math::max)));
    seconds.put(own().process(), own().seconds());
    return seconds;
  }

  /** A process, and its CPU time since its start. */
  private record Own(long process, double seconds) implements Serializable {
    private static final long serialVersionUID = 1;
  }

  private static Own own() {
    ProcessHandle process = ProcessHandle.current();
    return new Own(process.pid(), process.info().totalCpuDuration().orElseThrow().toMillis() / 1e3);
  }
}
