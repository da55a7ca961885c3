package io.feedline.examples.spark;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.spark.RowReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Predicts the classes of all images of a DataFrame: {@code PredictOnSpark [DIRECTORY]}.
 *
 * <p>The driver trains a network in some seconds and broadcasts it; the tasks read the rows of
 * their partitions by a {@link RowReader}, and write key, class and probability. The images, and
 * the predictions in a Parquet file, are in DIRECTORY, by default {@code
 * examples/spark/target/predict}.
 */
public final class PredictOnSpark {

  private static final StructType PREDICTIONS =
      new StructType()
          .add("key", DataTypes.StringType)
          .add("class", DataTypes.StringType)
          .add("probability", DataTypes.FloatType);

  private PredictOnSpark() {}

  /** Trains, predicts, and prints the number of correct predictions. */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args.length == 0 ? "examples/spark/target/predict" : args[0]);
    Path images = ColorImages.writeTo(directory.resolve("images"), 60);
    String predictions = directory.resolve("predictions").toUri().toString();
    try (SparkSession spark = LocalSpark.session("PredictOnSpark")) {
      Dataset<Row> rows =
          spark
              .read()
              .format("binaryFile")
              .option("recursiveFileLookup", true)
              .option("pathGlobFilter", "*.png")
              .load(images.toUri().toString());
      predict(rows, ColorImages.CLASSES, trained(images))
          .write()
          .mode("overwrite")
          .parquet(predictions);

      Dataset<Row> written = spark.read().parquet(predictions);
      long right = written.filter("key like concat('%/', class, '/%')").count();
      System.out.println(right + " of " + written.count() + " predictions are right, in");
      System.out.println(predictions);
    }
  }

  /** Trains a network on the driver, and returns it as bytes. */
  private static byte[] trained(Path folder) throws Exception {
    try (ImageDataset images = ImageDataset.open(folder).withTransform(SmallNetwork.transform());
        DataLoader<LabeledImage> loader =
            DataLoader.builder(images).batchSize(20).shuffle(true).build();
        SmallNetwork network = new SmallNetwork(images.classes().size(), 1)) {
      for (int epoch = 0; epoch < 10; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            network.train(batch);
          }
        }
      }
      return network.toBytes();
    }
  }

  /**
   * Returns the predictions of a network for each image; Spark computes them when they are needed.
   */
  static Dataset<Row> predict(Dataset<Row> images, List<String> classes, byte[] network) {
    JavaSparkContext spark =
        JavaSparkContext.fromSparkContext(images.sparkSession().sparkContext());
    Broadcast<byte[]> shared = spark.broadcast(network);
    List<String> names = new ArrayList<>(classes);
    return images.mapPartitions(
        (MapPartitionsFunction<Row, Row>) rows -> predictions(rows, names, shared.value()),
        Encoders.row(PREDICTIONS));
  }

  /** Predicts in a task: returns a row of results for each row of the partition. */
  private static Iterator<Row> predictions(Iterator<Row> rows, List<String> classes, byte[] bytes)
      throws Exception {
    SmallNetwork network = SmallNetwork.of(classes.size(), bytes);
    TaskCompletionListener end = task -> network.close();
    TaskContext.get().addTaskCompletionListener(end);
    return RowReader.ofImages(rows, SmallNetwork.transform())
        .results(
            options -> options.batchSize(16), (batch, its) -> results(batch, classes, network));
  }

  private static List<Row> results(Batch batch, List<String> classes, SmallNetwork network) {
    float[][] probabilities = network.predict(batch);
    List<Row> results = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      int best = 0;
      for (int label = 1; label < classes.size(); label++) {
        if (probabilities[i][label] > probabilities[i][best]) {
          best = label;
        }
      }
      results.add(
          RowFactory.create(
              batch.values("name").get(i), classes.get(best), probabilities[i][best]));
    }
    return results;
  }
}
