package io.feedline.formats.store;

import io.feedline.data.FormatException;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A job in which many tasks, on one machine or on many, write a store together; this object does
 * the work of the driver, such as Spark's. The store appears whole or not at all.
 *
 * <pre>
 *   TARGET/index.json or shards.json      the one file whose writing is the commit
 *   TARGET/JOB/00003-17/data-000000.tar   a shard of task 3, attempt 17
 * </pre>
 *
 * <pre>{@code
 * PackingJob job = PackingJob.begin(target, format, packing, Map.of(), Mode.CREATE);
 * // on any machine, for each attempt of each task
 * try (TaskWriter writer =
 *     PackingJob.openTask(target, format, packing, Map.of(), job.id(), task, attempt)) {
 *   writer.write(image, Map.of());
 *   shards = writer.commit();
 * }
 * // on the driver, with one attempt of each task; job.abort() where one has failed for good
 * job.commit(List.of(new PackingJob.CommittedTask(task, attempt, shards)));
 * }</pre>
 *
 * <p><b>Exactly once.</b> Each attempt of each task has a directory of its own, so attempts that
 * run at the same time never write the same file. An attempt reports its shards, with sizes and
 * hashes, to the driver; the driver takes one attempt of each task and, as the last step, writes
 * the index of their shards, ordered by task. Before this step nothing opens the store; afterwards
 * the store is whole. Files of other attempts are deleted after the commit; files of a killed job
 * are deleted by {@link #sweep}.
 *
 * <p>Not thread-safe. Keeps nothing open.
 */
public abstract class PackingJob {

  /** The treatment of a store that exists already. */
  public enum Mode {
    /** The job fails, at its beginning or at its commit. */
    CREATE,
    /** The commit replaces the existing store and deletes its shards. */
    REPLACE,
    /** The existing store's shards stay, and come before the job's shards. */
    APPEND
  }

  /** The default of {@link #abandonedAfter}: a day. */
  public static final Duration ABANDONED_AFTER = Duration.ofDays(1);

  /** Creates a job; called by formats alone. */
  protected PackingJob() {}

  /**
   * Begins a job. Nothing is written yet.
   *
   * @param target the directory of the store: local, or in an object store or file system that
   *     Feedline can write
   * @param packing the store's classes, options and size of shards; a number of shards is refused,
   *     and the number of images is ignored
   * @param fields the fields that samples have besides image, key and label, by name
   * @throws java.nio.file.FileAlreadyExistsException if there is a store and the mode is CREATE, or
   *     the directory has other files than a store of tasks
   * @throws IllegalArgumentException if the format cannot be written by tasks, an option is
   *     impossible, or a field cannot be stored
   * @throws IllegalStateException if a library does not load; the message names it
   * @throws IOException if the target cannot be read or written; or if the mode is APPEND, and the
   *     store has another format, or other classes, fields or options
   */
  public static PackingJob begin(
      Path target, StoreFormat format, Packing packing, Map<String, FieldType> fields, Mode mode)
      throws IOException {
    return tasksOf(format).begin(target, packing, fields, mode);
  }

  private static TaskFormat tasksOf(StoreFormat format) {
    return format
        .tasks()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s cannot be written by many tasks, since it is one file or has no shards of its own; %s can"
                        .formatted(
                            format.name(),
                            StoreFormat.all().stream()
                                .filter(StoreFormat::isWritableByTasks)
                                .map(StoreFormat::name)
                                .sorted()
                                .collect(Collectors.joining(", ")))));
  }

  /** Returns the unique name of the job, which is also that of its directory in the target. */
  public abstract String id();

  /**
   * Sets the time without a write after which {@link #commit} treats other jobs' leftovers as
   * abandoned, and deletes them; {@link #ABANDONED_AFTER} by default.
   *
   * @param time the time, 0 or more; longer than any running job goes without a write
   * @throws IllegalArgumentException if the time is negative
   */
  public abstract void abandonedAfter(Duration time);

  /**
   * Opens the writer of an attempt of a task, on any machine, with the arguments of {@link #begin}.
   * Nothing is written before the first sample. The caller closes it.
   *
   * @param id the name of the job
   * @param task the number of the task, 0 or more; the store has the samples in the order of the
   *     tasks
   * @param attempt a number that no other attempt of this task has, 0 or more
   * @throws IllegalArgumentException if the job's name is not allowed, or a number is negative; and
   *     in the cases of {@link #begin}
   * @throws IOException if the attempt's directory cannot be written
   */
  public static TaskWriter openTask(
      Path target,
      StoreFormat format,
      Packing packing,
      Map<String, FieldType> fields,
      String id,
      int task,
      long attempt)
      throws IOException {
    return tasksOf(format).open(target, packing, fields, id, task, attempt);
  }

  /**
   * The one attempt of a task whose shards become a part of the store.
   *
   * @param task the task's number, 0 or more
   * @param attempt the attempt's number, 0 or more
   * @param shards the result of {@link TaskWriter#commit}
   */
  public record CommittedTask(int task, long attempt, List<PackedShard> shards)
      implements Serializable {
    private static final long serialVersionUID = 1;

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public CommittedTask {
      shards = List.copyOf(shards);
      if (task < 0 || attempt < 0) {
        throw new IllegalArgumentException(
            "task and attempt must be 0 or more, were %d and %d".formatted(task, attempt));
      }
    }
  }

  /**
   * Commits the job: checks that each shard exists, writes the index, and deletes the files of
   * other attempts and of {@linkplain #abandonedAfter abandoned} jobs. A file that cannot be
   * deleted is logged, since the store is whole by then.
   *
   * @param tasks one attempt of each task, in any order
   * @throws java.nio.file.FileAlreadyExistsException if another job has committed meanwhile and the
   *     mode is CREATE; everything of this job is then deleted
   * @throws IllegalArgumentException if there are two attempts of one task
   * @throws IllegalStateException if the job is committed or aborted
   * @throws IOException if a shard is missing or has another size, the index cannot be written, or
   *     the mode is APPEND and the store was replaced meanwhile; the store is then unchanged
   */
  public abstract void commit(List<CommittedTask> tasks) throws IOException;

  /**
   * Deletes all files of the job that can be deleted. The store is unchanged. May be called twice.
   * If it is unknown whether a failed commit will still become visible, the shards are kept for
   * {@link #sweep}, and a warning is logged.
   *
   * @throws IllegalStateException if the job is committed
   * @throws IOException if something cannot be deleted
   */
  public abstract void abort() throws IOException;

  /**
   * The result of {@link #sweep}.
   *
   * @param deleted directories of jobs and attempts that nothing refers to, below the target, with
   *     slashes
   * @param recent the leftovers that are too young to count as abandoned
   */
  public record Swept(List<String> deleted, List<String> recent) {
    /** Copies the lists. */
    public Swept {
      deleted = List.copyOf(deleted);
      recent = List.copyOf(recent);
    }
  }

  /**
   * Deletes the directories of jobs and attempts that the store's index does not refer to and in
   * which nothing was written for {@code olderThan}. If there is no index, all jobs are leftovers.
   * Files that no job writes are kept, together with their directories.
   *
   * @param olderThan the time without a write; zero only if no job can be running
   * @throws IllegalArgumentException if the time is negative
   * @throws IOException if the target cannot be listed, its index cannot be read, or something
   *     cannot be deleted
   */
  public static Swept sweep(Path target, Duration olderThan) throws IOException {
    return StoreFormat.all().stream()
        .flatMap(format -> format.tasks().stream())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no format can be written by tasks"))
        .sweep(target, olderThan);
  }

  /**
   * The type of a field that tasks write besides the image, key and label of a sample.
   *
   * <p>WebDataset stores a field as an entry: {@code KEY.NAME.txt} for text, {@code KEY.NAME.json}
   * for numbers, {@code KEY.NAME} for bytes. MDS stores a field as a column; every sample must have
   * the field. TFRecord stores a field as a feature.
   */
  public enum FieldType {
    /** A {@link String}, stored in UTF-8. In MDS it is a {@code str}. */
    TEXT,
    /** A {@link Long}. In MDS it is an {@code int}, in TFRecord an {@code int64}. */
    INTEGER,
    /**
     * A {@link Double}. In MDS it is a {@code float64}; in TFRecord a {@code float} of 32 bits;
     * WebDataset refuses infinities and NaN, which JSON cannot express.
     */
    REAL,
    /** A {@code byte[]}, which is not copied and must not be changed before the writer returns. */
    BYTES
  }

  /**
   * A shard that a {@link TaskWriter} has written, as an entry of a store's index. Immutable;
   * serializable, so that it can be sent to the driver that commits.
   *
   * @param path the name of the shard's file while the shard belongs to a task; in an index, the
   *     file's path below the store's directory, with slashes
   * @param samples the number of samples, 0 or more; the shards of a task are never empty
   * @param bytes the size of the file
   * @param sha256 the SHA-256 of the file, 64 lower-case hexadecimal digits
   * @param description the shard's entry in the format's own index, as a JSON object; empty for a
   *     format without such an index
   */
  public record PackedShard(
      String path, long samples, long bytes, String sha256, String description)
      implements Serializable {

    private static final long serialVersionUID = 1;

    /**
     * Checks that nothing is missing.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public PackedShard {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(sha256, "sha256");
      Objects.requireNonNull(description, "description");
      if (samples < 0 || bytes < 0) {
        throw new IllegalArgumentException(
            "%s: a shard has 0 samples or more and 0 bytes or more, was %d and %d"
                .formatted(path, samples, bytes));
      }
    }

    /** Returns this shard with a directory, without a slash at its end, in front of its path. */
    public PackedShard in(String directory) {
      return new PackedShard(directory + "/" + path, samples, bytes, sha256, description);
    }
  }

  /**
   * A writer of some of a store's shards, for a task of a {@link PackingJob}. Many writers write at
   * the same time, each into a directory of its own; nothing reads these shards until the job is
   * committed.
   *
   * <p>A writer never continues the work of another writer: a task that failed is done again by
   * another writer, in another directory. The bytes of the shards depend on the samples and the
   * options alone.
   *
   * <p>Not thread-safe. The caller closes it.
   */
  public interface TaskWriter extends Closeable {

    /**
     * Adds a sample behind the samples that were written before.
     *
     * @param fields the values of the sample's fields, by name. The writer was opened with the
     *     fields' names and types; fields may be absent if the format allows it
     * @throws FormatException if the format cannot store the sample; the message has the key and
     *     the reason
     * @throws IOException if the sample cannot be written; the writer can then only be closed
     * @throws IllegalStateException if the writer is committed or closed
     */
    void write(EncodedImage image, Map<String, Object> fields) throws IOException;

    /**
     * Returns the shards that are whole by now, in order, in a new unmodifiable list. A shard's
     * path is the name of a file in the task's directory.
     */
    List<PackedShard> shards();

    /**
     * Ends the last shard and forces all shards to the disk or the object store.
     *
     * @return all shards, in order; empty if no sample was written
     * @throws IOException if a shard cannot be written
     * @throws IllegalStateException if the writer is committed or closed
     */
    List<PackedShard> commit() throws IOException;

    /**
     * Closes the files, and deletes the attempt's files unless {@link #commit} was called. May be
     * called twice.
     *
     * @throws IOException if a file cannot be closed or deleted
     */
    @Override
    void close() throws IOException;
  }

  /**
   * The part of a {@link StoreFormat} for stores that many tasks write; {@link PackingJob} is the
   * public API, which documents the methods.
   *
   * <p>Implementations have no state and are thread-safe.
   */
  public interface TaskFormat {

    /** See {@link PackingJob#openTask}. */
    TaskWriter open(
        Path target,
        Packing packing,
        Map<String, FieldType> fields,
        String id,
        int task,
        long attempt)
        throws IOException;

    /** See {@link PackingJob#begin}. */
    PackingJob begin(
        Path target, Packing packing, Map<String, FieldType> fields, PackingJob.Mode mode)
        throws IOException;

    /** See {@link PackingJob#sweep}. */
    PackingJob.Swept sweep(Path target, Duration olderThan) throws IOException;
  }
}
