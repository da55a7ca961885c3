package io.feedline.spark;

import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset.NamedImage;
import io.feedline.transform.Transform;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;

/**
 * A reader of the rows of a partition as batches, for inference in {@code mapPartitions}: while a
 * function works on a batch, workers decode the following batches.
 *
 * <pre>{@code
 * images.mapPartitions(
 *     (MapPartitionsFunction<Row, Row>) rows ->
 *         RowReader.ofImages(rows, transform)
 *             .results(
 *                 options -> options.batchSize(32),
 *                 (batch, itsRows) -> predict(batch.tensor("image"), itsRows)),
 *     encoder);
 * }</pre>
 *
 * <p>Each row is in one batch, in the order of the rows. The task's thread pulls the rows, as
 * Spark's operators require; at most one batch of rows waits for the workers.
 *
 * <p>Immutable. {@link #results} is called once, in the task's thread.
 *
 * @param <T> a sample
 */
public final class RowReader<T> {

  private final Iterator<Row> rows;
  private final Transform<Row, T> samples;

  private RowReader(Iterator<Row> rows, Transform<Row, T> samples) {
    this.rows = Objects.requireNonNull(rows, "rows");
    this.samples = Objects.requireNonNull(samples, "samples");
  }

  /**
   * Returns a reader of rows.
   *
   * @param samples makes a sample of a row; called by several threads at once
   * @param <T> a sample, of a type that a {@link io.feedline.batch.Collator} can put into a batch
   */
  public static <T> RowReader<T> of(Iterator<Row> rows, Transform<Row, T> samples) {
    return new RowReader<>(rows, samples);
  }

  /**
   * Returns a reader of rows with encoded images, such as those of the sources {@code binaryFile}
   * and {@code feedline}. A batch has the tensor {@code image} and the values {@code name}.
   *
   * @param rows rows with a schema. The image is in the column {@code content}, {@code image} or
   *     {@code bytes}, or in the only column of bytes; its name is in {@code key} or {@code path},
   *     if there is such a column
   * @param transform applied to each image
   */
  public static RowReader<NamedImage> ofImages(
      Iterator<Row> rows, Transform<? super Image, Image> transform) {
    Objects.requireNonNull(transform, "transform");
    return of(
        rows,
        row -> {
          ImageRowColumns columns = ImageRowColumns.of(row.schema());
          String name = columns.name(row);
          Image image = Image.ofEncoded(columns.bytes(row), name, DecodeOptions.DEFAULT);
          return new NamedImage(transform.apply(image), name);
        });
  }

  /**
   * A function of a batch and of the batch's rows.
   *
   * @param <R> a result
   */
  @FunctionalInterface
  public interface BatchFunction<R> {
    /**
     * Returns any number of results for a batch. They must not refer to the batch's memory.
     *
     * @param batch closed by the caller
     * @param rows the rows of the batch's samples, in order
     * @throws Exception if the function fails; then the task fails
     */
    List<R> apply(Batch batch, List<Row> rows) throws Exception;
  }

  /**
   * Returns an iterator over the results of all batches, for {@code mapPartitions}. The function is
   * called for a batch when its first result is requested. The loader is closed after the last
   * result, at the latest at the end of the task.
   *
   * @param options sets the options of the loader. The default number of workers is the task's
   *     number of processors ({@code spark.task.cpus}). The default seed is the number of the
   *     partition, so that random numbers differ from partition to partition
   * @param function called in the thread that uses the iterator
   * @param <R> a result
   * @throws IllegalStateException if this thread runs no task
   * @throws IllegalArgumentException if an option is out of its range
   */
  public <R> Iterator<R> results(
      UnaryOperator<DataLoaderBuilder<T>> options, BatchFunction<R> function) {
    Objects.requireNonNull(function, "function");
    TaskContext task = Tasks.current("RowReader");
    RowBatches<T> batches = new RowBatches<>(task, rows, samples, options);
    Tasks.closeAtEnd(task, batches);
    return new BatchResults<>(batches, function);
  }
}
