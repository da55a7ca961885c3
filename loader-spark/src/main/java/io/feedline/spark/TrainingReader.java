package io.feedline.spark;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.data.Dataset;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.internal.Closing;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.WorldInfo;
import io.feedline.spark.hadoop.HadoopFileSystems;
import io.feedline.transform.Transform;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;

/**
 * A reader of one task's part of a data set. Each task of a stage opens the whole data set. As in
 * distributed training, its loaders deliver a rank's part: the rank is the number of the task's
 * partition, and the world size is the number of partitions.
 *
 * <pre>{@code
 * sc.parallelize(ranks, 4).barrier().mapPartitions(nothing -> {
 *   try (TrainingReader<LabeledImage> reader =
 *       TrainingReader.open(uri, images -> images.withTransform(augment))) {
 *     for (Batch batch : reader.loader(options -> options.batchSize(32).shuffle(true))) {
 *       try (batch) { ... }
 *     }
 *   }
 *   ...
 * });
 * }</pre>
 *
 * <p><b>In a barrier stage</b> all tasks run at once. {@link #open} then waits for all tasks, and
 * checks that they have opened the same data. {@link #loader} checks that all tasks use the same
 * seed and make the same number of steps. So all tasks must call these methods, in the same order.
 *
 * <p>The end of a task closes the reader, whether the task succeeds, fails or is killed. A killed
 * task ends at its next sample.
 *
 * <p>Not thread-safe; used in the thread of its task.
 *
 * @param <T> a sample
 */
public final class TrainingReader<T> implements Closeable {

  private final TaskContext task;
  private final Dataset<T> dataset;
  private final WorldInfo world;

  /** The loaders and the data set, which {@link #close} closes; the last opened first. */
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  private boolean closed;

  private TrainingReader(TaskContext task, Dataset<T> dataset) {
    this.task = task;
    this.dataset = dataset;
    this.world = new WorldInfo(task.partitionId(), task.numPartitions());
    if (dataset instanceof AutoCloseable closeable) {
      open.push(closeable);
    }
  }

  /**
   * Applies a function to each partition in a barrier stage: all tasks run at the same time, and
   * all restart if a task fails. This is Spark's {@code RDD.barrier()}, which has no Java API. In
   * the tasks {@code BarrierTaskContext.get()} works, and a reader checks that all tasks train on
   * the same data.
   *
   * @param rdd an RDD with at most as many partitions as the cluster has slots; Spark refuses more
   * @param function a function of a partition's elements
   * @param <T> an element
   * @param <R> a result
   */
  public static <T, R> JavaRDD<R> inBarrierStage(
      JavaRDD<T> rdd, FlatMapFunction<Iterator<T>, R> function) {
    return BarrierStage.mapPartitions(rdd, function);
  }

  /**
   * Opens a store in this task. The caller closes the reader; otherwise the end of the task closes
   * it.
   *
   * @param store the path or URI of a store of any format; the same in all tasks, on storage that
   *     all tasks can reach; a URI of Hadoop's file systems is opened with the Hadoop configuration
   *     on the class path
   * @param prepare returns the dataset to use, for example with transforms, or a subset
   * @throws IOException if the store cannot be opened, has no known format, or is not the same in
   *     all tasks of a barrier stage
   * @throws IllegalStateException if this thread runs no task
   */
  public static TrainingReader<LabeledImage> open(String store, UnaryOperator<ImageDataset> prepare)
      throws IOException {
    Objects.requireNonNull(prepare, "prepare");
    Path path = HadoopFileSystems.path(store, new Configuration());
    return open(() -> opened(path, prepare));
  }

  private static ImageDataset opened(Path path, UnaryOperator<ImageDataset> prepare)
      throws IOException {
    ImageDataset images = ImageDataset.open(path);
    try {
      return Objects.requireNonNull(prepare.apply(images), "prepare returned null");
    } catch (RuntimeException e) {
      Closing.afterFailure(e, images);
      throw e;
    }
  }

  /**
   * Opens a data set in this task. The caller closes the reader; otherwise the end of the task
   * closes it.
   *
   * @param source opens the data set, which is closed with the reader if it is {@code
   *     AutoCloseable}
   * @param <T> a sample
   * @throws IOException if the data set cannot be opened, or is not the same in all tasks of a
   *     barrier stage
   * @throws IllegalStateException if this thread runs no task
   */
  public static <T> TrainingReader<T> open(Callable<? extends Dataset<T>> source)
      throws IOException {
    TaskContext task = Tasks.current("TrainingReader");
    TrainingReader<T> reader = new TrainingReader<>(task, called(source));
    Tasks.closeAtEnd(task, reader);
    if (task instanceof BarrierTaskContext barrier) {
      Agreement.require(
          barrier,
          "the data set",
          "%d samples, fingerprint %s"
              .formatted(reader.dataset.size(), reader.dataset.fingerprint()));
    }
    return reader;
  }

  private static <D> D called(Callable<? extends D> source) throws IOException {
    try {
      return Objects.requireNonNull(source.call(), "the source opened nothing: null");
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the data set of a task cannot be opened: " + e.getMessage(), e);
    }
  }

  /** Returns the whole data set, of which the loaders deliver a part. */
  public Dataset<T> dataset() {
    return dataset;
  }

  /** Returns this task's rank and the number of tasks of its stage. */
  public WorldInfo world() {
    return world;
  }

  /**
   * Makes a loader of this task's part, for training. All tasks make the same number of steps;
   * tasks with fewer samples repeat some ({@link Remainder#PAD}).
   *
   * @param options sets the options of the loader; the default number of workers is the task's
   *     number of processors ({@code spark.task.cpus})
   * @return a loader; it is closed with the reader, unless the caller closes it before
   * @throws IOException if the tasks of a barrier stage differ in the number of steps or the seed
   * @throws IllegalArgumentException if an option is out of its range
   * @throws IllegalStateException if the reader is closed
   */
  public DataLoader<T> loader(UnaryOperator<DataLoaderBuilder<T>> options) throws IOException {
    return loader(Remainder.PAD, options);
  }

  /**
   * Makes a loader of this task's part, as {@link #loader(UnaryOperator)} does.
   *
   * @param remainder {@link Remainder#EXACT} for inference and evaluation, if all tasks together
   *     must deliver each sample once; {@link Remainder#DROP} for equal steps without repetition
   */
  public DataLoader<T> loader(Remainder remainder, UnaryOperator<DataLoaderBuilder<T>> options)
      throws IOException {
    if (closed) {
      throw new IllegalStateException("the reader is closed");
    }
    Transform<T, T> unlessKilled = this::unlessKilled;
    DataLoader<T> loader =
        options
            .apply(
                DataLoader.builder(dataset.map(unlessKilled))
                    .name(dataset.name())
                    .numWorkers(Math.max(1, task.cpus())))
            .distributed(world, remainder)
            .build();
    open.push(loader);
    if (task instanceof BarrierTaskContext barrier) {
      long steps = loader.size().orElse(-1);
      Agreement.require(
          barrier,
          "the loader",
          "%s, seed %d"
              .formatted(
                  remainder == Remainder.EXACT ? "any number of steps" : steps + " steps",
                  loader.options().seed()));
    }
    return loader;
  }

  private T unlessKilled(T sample) {
    if (task.isInterrupted()) {
      throw new TaskKilledException("the task was killed, and reads no more samples");
    }
    return sample;
  }

  @Override
  public String toString() {
    return "%s, rank %d of %d".formatted(dataset.name(), world.rank(), world.worldSize());
  }

  /**
   * Closes the loaders and the data set. May be called twice.
   *
   * @throws IOException if a file cannot be closed
   */
  @Override
  public void close() throws IOException {
    closed = true;
    Tasks.closeAll(open);
  }
}
