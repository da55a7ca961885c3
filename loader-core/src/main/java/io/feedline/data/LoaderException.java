package io.feedline.data;

import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a sample, a batch or a worker. The consumer's {@code next()} throws it at the turn
 * of the batch that failed; the following {@code next()} returns the following batch. A failure in
 * {@link Stage#WORKER} ends the iteration instead.
 *
 * <p>The message contains all values of the accessors: dataset, index, the dataset's description of
 * the index, stage, worker, and the reason. The cause is the original exception or {@link Error}.
 */
public final class LoaderException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The smallest number of words of a message that is clear without the exception's type. */
  private static final int FEW_WORDS = 4;

  /** The work that failed. */
  public enum Stage {
    /** Asking the dataset for the sample. */
    READ("reading"),
    /** Applying a transform to the sample. */
    TRANSFORM("transforming"),
    /** Writing the sample into its batch, which includes decoding images. */
    WRITE("decoding and writing"),
    /** Putting the batch together. */
    COLLATE("collating"),
    /** Setting up or running a worker. */
    WORKER("running a worker"),
    /** The consumer's wait for a batch. */
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
   * Makes the exception for one sample that failed in the calling thread.
   *
   * @param dataset the dataset's name
   * @param index the index in that dataset; negative if the sample has no index
   * @param description the dataset's description of the sample: its path or key
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
   * Makes the exception for a failure in the calling thread that concerns no single sample.
   *
   * @param dataset the dataset's name
   * @param what the part that failed, in words
   * @param cause null if nothing was thrown
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
   * Makes the exception for an interrupted wait for a batch; a later {@code next()} returns the
   * batch. For code that passes on a loader's batches from another thread.
   */
  public static LoaderException ofInterruptedWait(String dataset, InterruptedException cause) {
    return of(Stage.WAIT, dataset, "the waiting thread was interrupted", cause);
  }

  /** Makes the exception for a wait over a timeout; a later {@code next()} returns the batch. */
  public static LoaderException ofTimeout(String dataset, long epoch, Duration timeout) {
    return of(
        Stage.WAIT,
        dataset,
        "timed out after %s in epoch %d; the batch will still be delivered by a later next()"
            .formatted(Durations.words(timeout), epoch),
        null);
  }

  /** Returns the cause's message, with the cause's class if the message has only a few words. */
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
   * Returns the remedy at the end of the message; empty if the message ends without a remedy. A
   * tool may replace the remedy by a remedy that names the tool's own options.
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

  /** Returns the dataset's description of the sample, or a description of the part that failed. */
  public String description() {
    return description;
  }

  /** Returns the name of the thread that failed, a worker or the consumer. */
  public String worker() {
    return worker;
  }
}
