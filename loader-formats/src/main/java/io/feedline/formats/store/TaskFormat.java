package io.feedline.formats.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The part of a {@link StoreFormat} that many tasks write with; {@link PackingJob} is its face for
 * those who write, and says what each method does.
 *
 * <p>Implementations have no state and are thread-safe.
 */
public interface TaskFormat {

  /**
   * Opens the writer of an attempt of a task.
   *
   * @throws IllegalArgumentException as {@link PackingJob#openTask} says
   * @throws IOException as {@link PackingJob#openTask} says
   */
  TaskWriter open(
      Path target,
      Packing packing,
      Map<String, FieldType> fields,
      String id,
      int task,
      long attempt)
      throws IOException;

  /**
   * Begins a job.
   *
   * @throws IllegalArgumentException as {@link PackingJob#begin} says
   * @throws IOException as {@link PackingJob#begin} says
   */
  PackingJob begin(
      Path target, Packing packing, Map<String, FieldType> fields, PackingJob.Mode mode)
      throws IOException;

  /**
   * Deletes what jobs have left, whatever their format.
   *
   * @throws IOException as {@link PackingJob#sweep} says
   */
  PackingJob.Swept sweep(Path target, Duration olderThan) throws IOException;
}
