package io.feedline;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * A sample, a batch or a worker failed. Thrown by the consumer's {@code next()} at the turn of the
 * batch that is concerned; the following {@code next()} goes on with the following batch.
 *
 * <p>The message says everything the accessors say: dataset, index, what the dataset says about the
 * index, stage, worker, and the reason. The cause is what was thrown, an {@link Error} included.
 */
public final class LoaderException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What was being done when it failed. */
  public enum Stage {
    /** The dataset was asked for the sample. */
    READ("reading"),
    /** A transform was applied to it. */
    TRANSFORM("transforming"),
    /** It was written into its batch; this is where images are decoded. */
    WRITE("decoding and writing"),
    /** The batch was put together. */
    COLLATE("collating"),
    /** A worker was being set up. */
    WORKER("running a worker"),
    /** The consumer was waiting for a batch. */
    WAIT("waiting for a batch");

    private final String words;

    Stage(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  private final Stage stage;
  private final String dataset;
  private final long index;
  private final String description;
  private final String worker;

  private LoaderException(
      String message,
      Stage stage,
      String dataset,
      long index,
      String description,
      String worker,
      Throwable cause) {
    super(message, cause);
    this.stage = stage;
    this.dataset = dataset;
    this.index = index;
    this.description = description;
    this.worker = worker;
  }

  /** The failure of one sample. */
  static LoaderException ofSample(
      Stage stage, String dataset, long index, String description, Throwable cause) {
    String worker = Thread.currentThread().getName();
    String where = description.equals("index " + index) ? "" : " (" + description + ")";
    return new LoaderException(
        "%s sample %d%s of %s failed in %s: %s"
            .formatted(stage, index, where, dataset, worker, reason(cause)),
        stage,
        dataset,
        index,
        description,
        worker,
        cause);
  }

  /** The failure of something that is not one sample's. */
  static LoaderException of(Stage stage, String dataset, String what, Throwable cause) {
    String message = "%s of %s: %s".formatted(stage, dataset, what);
    return new LoaderException(
        cause == null ? message : message + ": " + reason(cause),
        stage,
        dataset,
        -1,
        what,
        Thread.currentThread().getName(),
        cause);
  }

  /**
   * A wait for a batch that was interrupted; the batch is still to come. For those who hand a
   * loader's batches on from another thread, and are waited for in the loader's place.
   *
   * @param dataset the dataset's name
   */
  public static LoaderException ofInterruptedWait(String dataset, InterruptedException cause) {
    return of(Stage.WAIT, dataset, "the waiting thread was interrupted", cause);
  }

  /**
   * A wait for a batch that took too long; the batch is still to come. For those who hand a
   * loader's batches on from another thread, as above.
   *
   * @param dataset the dataset's name
   */
  public static LoaderException ofTimeout(String dataset, long epoch, Duration timeout) {
    return of(
        Stage.WAIT,
        dataset,
        "timed out after %s in epoch %d; the batch will still be delivered by a later next()"
            .formatted(timeout, epoch),
        null);
  }

  private static String reason(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getName() : cause.getMessage();
  }

  /** What was being done. */
  public Stage stage() {
    return stage;
  }

  /** The dataset's {@link Dataset#name name}. */
  public String dataset() {
    return dataset;
  }

  /** The index of the sample, or empty where the failure is not one sample's. */
  public OptionalLong index() {
    return index < 0 ? OptionalLong.empty() : OptionalLong.of(index);
  }

  /** What the dataset says about the sample: its path or key; otherwise what failed, in words. */
  public String description() {
    return description;
  }

  /** The name of the thread in which it failed. */
  public String worker() {
    return worker;
  }
}
