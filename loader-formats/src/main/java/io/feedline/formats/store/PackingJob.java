package io.feedline.formats.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A store that many tasks write at once, on one machine or on many, whole or not there: what a
 * driver of Spark and the like does in front of its tasks and behind them.
 *
 * <pre>
 *   TARGET/index.json or shards.json      the one file whose writing is the commit
 *   TARGET/JOB/00003-17/data-000000.tar   a shard of task 3, attempt 17
 * </pre>
 *
 * <p><b>Exactly once.</b> Each attempt of each task has a directory of its own, so attempts that
 * run at the same time never meet. An attempt tells its shards, with sizes and hashes, to the
 * driver; the driver takes one attempt of each task and writes the index of their shards, ordered
 * by task, as the last thing of all. Until then nothing opens the store; from then on it is whole.
 * What other attempts have left is deleted after the commit, and what a killed job has left by
 * {@link #sweep}.
 *
 * <p>Not thread-safe. Holds nothing open.
 */
public final class PackingJob {

  /** What becomes of a store that is there already. */
  public enum Mode {
    /** The job fails, at its begin or at its commit. */
    CREATE,
    /** It is replaced by the commit, and its shards are deleted then. */
    REPLACE,
    /** Its shards stay and come first. */
    APPEND
  }

  /** Which orphans {@link #sweep} takes for abandoned, unless told otherwise: those of a day. */
  public static final Duration ABANDONED_AFTER = Duration.ofDays(1);

  private PackingJob() {}

  /**
   * Begins a job.
   *
   * @param target the directory of the store: local, or of an object store or file system that our
   *     writers know
   * @param packing its classes, options and size of shards; a number of shards is refused
   * @param fields what samples have beside image, key and label
   * @throws java.nio.file.FileAlreadyExistsException if there is a store and the mode is CREATE, or
   *     there is something else
   * @throws IllegalArgumentException if the format cannot be written by tasks, or an option is
   *     impossible
   * @throws IOException if the target cannot be looked at
   */
  public static PackingJob begin(
      Path target, StoreFormat format, Packing packing, Map<String, FieldType> fields, Mode mode)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Returns the name of the job, which no other job has: that of its directory in the target. */
  public String id() {
    throw new UnsupportedOperationException();
  }

  /**
   * Opens the writer of an attempt of a task, on whatever machine, with what {@link #begin} was
   * given. The caller closes it.
   *
   * @param id that of the job
   * @param task the number of the task, 0 or more: the order of the store
   * @param attempt a number that no other attempt of this task has
   * @throws IOException if it cannot be written
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
    throw new UnsupportedOperationException();
  }

  /** An attempt of a task that is to be a part of the store, with what its writer has told. */
  public record CommittedTask(int task, long attempt, List<PackedShard> shards)
      implements java.io.Serializable {
    private static final long serialVersionUID = 1;
  }

  /**
   * Commits the job: makes sure that each shard is there, writes the index, and deletes what other
   * attempts have left.
   *
   * @param tasks one attempt of each task, in any order
   * @throws java.nio.file.FileAlreadyExistsException if another job has committed meanwhile and the
   *     mode is CREATE; everything of this job is then deleted
   * @throws IOException if a shard is missing or has another size, or the index cannot be written;
   *     the store is then as it was
   */
  public void commit(List<CommittedTask> tasks) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Deletes everything of the job, as far as it can be deleted. The store is as it was.
   *
   * @throws IOException if something cannot be deleted
   */
  public void abort() throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * What {@link #sweep} found.
   *
   * @param deleted directories of jobs and attempts that nothing refers to, below the target
   * @param recent those that are too young to be taken for abandoned
   */
  public record Swept(List<String> deleted, List<String> recent) {}

  /**
   * Deletes the directories of jobs and attempts that the store's index does not refer to and in
   * which nothing was written for some time. Where there is no index, that is all of them.
   *
   * @param olderThan zero where no job can be running
   * @throws IOException if the target cannot be listed, or something cannot be deleted
   */
  public static Swept sweep(Path target, Duration olderThan) throws IOException {
    throw new UnsupportedOperationException();
  }
}
