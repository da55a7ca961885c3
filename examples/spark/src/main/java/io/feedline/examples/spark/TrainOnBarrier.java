package io.feedline.examples.spark;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.spark.TrainingReader;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;

/**
 * Trains one network in two tasks of a barrier stage: {@code TrainOnBarrier [DIRECTORY]}.
 *
 * <p>A {@link TrainingReader} gives each task its part of the images, in equally many steps. After
 * each epoch the tasks average their parameters, so that all continue with the same network.
 *
 * <p>The tasks average by {@code allGather}, which takes a second and sends text through the
 * driver. That is enough for hundreds of numbers once an epoch. A large network must average its
 * gradients in each step, which needs more than Spark and DJL offer.
 */
public final class TrainOnBarrier {

  private static final int TASKS = 2;
  private static final int EPOCHS = 6;

  private TrainOnBarrier() {}

  /**
   * The result of a task.
   *
   * @param rank the number of the task
   * @param steps the number of its steps
   * @param images the number of different images that it has seen
   * @param loss the loss of the last step
   * @param network the parameters of its network
   */
  record Outcome(int rank, int steps, int images, float loss, byte[] network)
      implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** Trains, and prints a line for each task. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args.length == 0 ? "examples/spark/target/barrier" : args[0]);
    Path images = ColorImages.writeTo(directory.resolve("images"), 35);
    try (SparkSession spark = LocalSpark.session("TrainOnBarrier")) {
      List<Outcome> outcomes = train(spark, images.toUri().toString());
      for (Outcome outcome : outcomes) {
        System.out.printf(
            Locale.ROOT,
            "task %d: %d steps on %d images, loss %.3f%n",
            outcome.rank(),
            outcome.steps(),
            outcome.images(),
            outcome.loss());
      }
      System.out.println(
          Arrays.equals(outcomes.get(0).network(), outcomes.get(1).network())
              ? "all tasks have the same network"
              : "the tasks have different networks");
    }
  }

  /** Trains on the store at a URI, which all tasks can read. */
  static List<Outcome> train(SparkSession spark, String store) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<byte[]> start = context.broadcast(untrained());
    return TrainingReader.inBarrierStage(
            context.parallelize(Collections.nCopies(TASKS, 0), TASKS),
            nothing -> List.of(task(store, start.value())).iterator())
        .collect();
  }

  /** Returns the network with which all tasks begin, as bytes. */
  private static byte[] untrained() {
    try (SmallNetwork network = new SmallNetwork(ColorImages.CLASSES.size(), 1)) {
      return network.toBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Outcome task(String store, byte[] start) throws Exception {
    BarrierTaskContext barrier = BarrierTaskContext.get();
    try (TrainingReader<LabeledImage> reader =
            TrainingReader.open(store, TrainOnBarrier::prepared);
        SmallNetwork network = SmallNetwork.of(ColorImages.CLASSES.size(), start)) {
      DataLoader<LabeledImage> loader =
          reader.loader(options -> options.batchSize(16).shuffle(true).seed(7));
      boolean[] seen = new boolean[Math.toIntExact(reader.dataset().size())];
      int steps = 0;
      float loss = 0;
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            loss = network.train(batch);
            steps++;
            if (epoch == 0) {
              for (long index : batch.indices()) {
                seen[(int) index] = true;
              }
            }
          }
        }
        network.setParameters(average(barrier, network.parameters()));
      }
      int images = 0;
      for (boolean each : seen) {
        images += each ? 1 : 0;
      }
      return new Outcome(reader.world().rank(), steps, images, loss, network.toBytes());
    }
  }

  private static ImageDataset prepared(ImageDataset images) {
    return images.withTransform(SmallNetwork.transform());
  }

  /** Returns the average of all tasks' parameters, added in the same order in all tasks. */
  private static float[] average(BarrierTaskContext barrier, float[] own) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * own.length);
    bytes.asFloatBuffer().put(own);
    String[] all = barrier.allGather(Base64.getEncoder().encodeToString(bytes.array()));
    float[] sum = new float[own.length];
    for (String each : all) {
      ByteBuffer parameters = ByteBuffer.wrap(Base64.getDecoder().decode(each));
      for (int i = 0; i < sum.length; i++) {
        sum[i] += parameters.getFloat(4 * i) / all.length;
      }
    }
    return sum;
  }
}
