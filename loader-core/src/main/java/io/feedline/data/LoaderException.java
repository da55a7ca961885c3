package io.feedline.data;

import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a sample, a batch or a worker. Thrown by the consumer's {@code next()} at the turn
 * of the batch that is concerned; the following {@code next()} gives the following batch, except
 * after {@link Stage#WORKER}, which ends the iteration.
 *
 * <p>The message has all values of the accessors: dataset, index, the dataset's description of the
 * index, stage, worker, and the reason. The cause is the original exception or {@link Error}.
 */
public final class LoaderException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The number of words from which a message is clear without the exception's type. */
  private static final int FEW_WORDS = 4;

  /** The work that was being done when it failed. */
  public enum Stage {
    /** The dataset was asked for the sample. */
    READ("reading"),
    /** A transform was applied to it. */
    TRANSFORM("transforming"),
    /** The sample writes itself into its batch, and images are decoded. */
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
  private final String advice;

  private LoaderException(
      String message,
      String advice,
      Stage stage,
      String dataset,
      long index,
      String description,
      String worker,
      Throwable cause) {
    super(message + advice, cause);
    this.advice = advice;
    this.stage = stage;
    this.dataset = dataset;
    this.index = index;
    this.description = description;
    this.worker = worker;
  }

  /**
   * Makes the exception of one sample that fails in the calling thread.
   *
   * @param dataset the dataset's name
   * @param index in that dataset; negative if the sample has no index
   * @param description of the sample by the dataset: its path or key
   * @param advice a remedy, as the end of the message; may be empty
   */
  public static LoaderException ofSample(
      Stage stage, String dataset, long index, String description, Throwable cause, String advice) {
    String worker = Thread.currentThread().getName();
    String where = description.equals("index " + index) ? "" : " (" + description + ")";
    return new LoaderException(
        "%s sample %d%s of %s failed in %s: %s"
            .formatted(stage, index, where, dataset, worker, reason(cause)),
        advice,
        stage,
        dataset,
        index,
        description,
        worker,
        cause);
  }

  /**
   * Makes the exception of a failure in the calling thread that concerns no single sample.
   *
   * @param dataset the dataset's name
   * @param what the part that failed, in words
   * @param cause null where nothing was thrown
   */
  public static LoaderException of(
      Stage stage, String dataset, String what, @Nullable Throwable cause) {
    String message = "%s of %s: %s".formatted(stage, dataset, what);
    return new LoaderException(
        cause == null ? message : message + ": " + reason(cause),
        "",
        stage,
        dataset,
        -1,
        what,
        Thread.currentThread().getName(),
        cause);
  }

  /**
   * Makes the exception of a wait for a batch that was interrupted; the batch is still to come. For
   * code that hands a loader's batches on from another thread.
   */
  public static LoaderException ofInterruptedWait(String dataset, InterruptedException cause) {
    return of(Stage.WAIT, dataset, "the waiting thread was interrupted", cause);
  }

  /** Makes the exception of a wait that took too long, as {@link #ofInterruptedWait} does. */
  public static LoaderException ofTimeout(String dataset, long epoch, Duration timeout) {
    return of(
        Stage.WAIT,
        dataset,
        "timed out after %s in epoch %d; the batch will still be delivered by a later next()"
            .formatted(Durations.words(timeout), epoch),
        null);
  }

  /** Adds the cause's class where a few words alone say little. */
  private static String reason(Throwable cause) {
    try {
      String message = cause.getMessage();
      boolean sentence = message != null && message.split(" ", FEW_WORDS).length == FEW_WORDS;
      return sentence ? message : cause.toString();
    } catch (Throwable failure) {
      return "%s, whose getMessage() throws %s"
          .formatted(cause.getClass().getName(), failure.getClass().getName());
    }
  }

  /** Returns the cause's text, even if its {@code toString} throws. */
  static String causeOf(LoaderException failure) {
    Throwable cause = failure.getCause();
    try {
      return String.valueOf(cause);
    } catch (Throwable unspeakable) {
      return reason(cause);
    }
  }

  /**
   * Returns the remedy at the end of the message; empty if the message has none. A tool with
   * options of its own gives other advice.
   */
  public String advice() {
    return advice;
  }

  /** Returns the stage that failed. */
  public Stage stage() {
    return stage;
  }

  /** Returns the dataset's {@link Dataset#name name}. */
  public String dataset() {
    return dataset;
  }

  /** Returns the sample's index; empty if the failure concerns no single sample. */
  public OptionalLong index() {
    return index < 0 ? OptionalLong.empty() : OptionalLong.of(index);
  }

  /**
   * Returns the dataset's description of the sample, its path or key; for other failures, a
   * description of the part that failed.
   */
  public String description() {
    return description;
  }

  /** Returns the name of the thread in which it failed, a worker's or the consumer's. */
  public String worker() {
    return worker;
  }
}
