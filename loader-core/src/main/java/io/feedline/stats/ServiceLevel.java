package io.feedline.stats;

import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * The demand of a training on its loader: 99 of 100 batches of a size within the time of a step. A
 * loader that meets the demand delivers {@code batchSize / stepTime} samples a second or more, and
 * makes at most one step in a hundred wait.
 *
 * <pre>{@code
 * ServiceLevel level = ServiceLevel.of(128, Duration.ofMillis(87));
 * System.out.println(loader.serviceLevel(level));
 * }</pre>
 *
 * @param batchSize the samples of a batch, 1 or more
 * @param stepTime how long the training works on a batch, more than zero
 */
public record ServiceLevel(int batchSize, Duration stepTime) {

  static final double GOAL = 0.99;

  /**
   * @throws IllegalArgumentException if the batch size is below 1 or the time not positive
   */
  public ServiceLevel {
    Objects.requireNonNull(stepTime, "stepTime");
    if (batchSize < 1) {
      throw new IllegalArgumentException("batchSize must be 1 or more, was " + batchSize);
    }
    if (stepTime.isZero() || stepTime.isNegative()) {
      throw new IllegalArgumentException(
          "stepTime must be more than zero, was " + Durations.words(stepTime));
    }
  }

  /**
   * Returns the demand of a training.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public static ServiceLevel of(int batchSize, Duration stepTime) {
    return new ServiceLevel(batchSize, stepTime);
  }

  /** Returns the samples that are needed each second. */
  public double samplesPerSecond() {
    return batchSize * 1e9 / stepTime.toNanos();
  }

  /**
   * The degree to which a loader has kept a service level so far. A batch is in time if it was
   * complete when the consumer asked for it, or at most the step time after the consumer had taken
   * the batch before it. The first batch of an iteration is not counted.
   *
   * @param level the demand
   * @param batches the number of counted batches
   * @param inTime the number of batches in time, to within 2% of the step time
   * @param blame the cause of late batches, in words and numbers. If all batches were in time, the
   *     text says that the consumer is the limit; empty if workers are as busy as the consumer
   */
  public record Report(ServiceLevel level, long batches, long inTime, String blame) {

    /** Returns the report of a run, whose blame is the evidence of its bottleneck. */
    public static Report of(ServiceLevel level, long batches, long inTime, Bottleneck bottleneck) {
      boolean toBlame = inTime < batches || bottleneck.cause() == Bottleneck.Cause.NONE;
      return new Report(level, batches, inTime, toBlame ? bottleneck.clause() : "");
    }

    /** Returns whether 99 of 100 batches were in time, and there was a batch. */
    public boolean kept() {
      return batches > 0 && inTime >= GOAL * batches;
    }

    /**
     * Returns a sentence with the share of batches in time, and the cause if it is below 99%, for
     * example {@code 93.2% of 500 batches of 128 came within 87 ms, and not 99%: reading had 90% of
     * the workers' 20 s in stages, and waited for storage or locks for 94.4% of that}.
     */
    @Override
    public String toString() {
      if (batches == 0) {
        return "no batch has been counted yet; the first of an iteration never is";
      }
      String share =
          String.format(
              Locale.ROOT,
              "%.1f%% of %s of %d came within %s, ",
              Math.floor(1000.0 * inTime / batches) / 10,
              Counts.of(batches, "batch"),
              level.batchSize(),
              Durations.words(level.stepTime()));
      return share
          + (kept() ? "as 99% should" : "and not 99%")
          + (blame.isEmpty() ? "" : ": " + blame);
    }
  }
}
