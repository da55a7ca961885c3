package io.feedline;

import io.feedline.data.StoreException;
import io.feedline.internal.Counts;
import io.feedline.stats.LoaderStats;
import java.util.OptionalLong;

/**
 * The treatment of samples that cannot be read, transformed, decoded or collated. Immutable.
 *
 * <pre>{@code
 * DataLoader.builder(images)
 *     .batchSize(2)
 *     .errorPolicy(ErrorPolicy.skip().atMost(100))
 *     .build()
 * }</pre>
 *
 * <p>A policy is for broken samples. Under every policy a batch fails if there is an {@link Error}
 * (no memory, a missing class), or if the store of the samples fails: a server that refuses, a disk
 * that cannot be read ({@link StoreException#isBehind}). Tolerated failures are counted in {@link
 * LoaderStats}, logged, and listed in {@link DataLoader#quarantine}; when a budget is used up, the
 * batch that exceeds it fails.
 *
 * <p><b>Only the failure of a sample is tolerated.</b> Other failures fail the batch under every
 * policy, and the next batches are delivered as usual. The number of lost samples is unknown if a
 * shard of a stream cannot be opened, if a shard is abandoned after 100 failures in a row, or if a
 * batch sampler cannot return the size of a batch. A failing collator or batch transform, or a lack
 * of memory, concerns a whole batch.
 *
 * <p><b>Layouts.</b> If the samples of a batch differ in dtypes, shapes or entries, the layout of
 * most samples is right, and the other samples fail. If two layouts have equally many samples, the
 * layout that comes first is right.
 *
 * <p><b>Ranks.</b> If the loader deals an epoch to ranks in equal parts (not {@code EXACT}), all
 * ranks make equally many steps, whatever fails; a batch that fails counts as a step. The loader
 * does not know whether a sampler of your own deals to ranks.
 *
 * <p>The treatment of a sample is a function of the data, the options and the epoch: the same for
 * any number of workers, and after {@link DataLoader#resume}.
 */
public final class ErrorPolicy {

  /** An action on a failing sample. */
  public enum Action {
    /** The batch fails. */
    FAIL,
    /** The batch is delivered without the sample. */
    SKIP,
    /** Another sample takes the place of the failing sample. */
    SUBSTITUTE
  }

  static final int ATTEMPTS = 10;

  /** The number of samples below which a rate says little. */
  static final int FEW_SAMPLES = 1000;

  private static final ErrorPolicy FAIL = new ErrorPolicy(Action.FAIL, OptionalLong.empty(), 1.0);

  private final Action action;
  private final OptionalLong maxFailures;
  private final double maxRate;

  private ErrorPolicy(Action action, OptionalLong maxFailures, double maxRate) {
    this.action = action;
    this.maxFailures = maxFailures;
    this.maxRate = maxRate;
  }

  /**
   * Returns the policy that fails the batch of a failing sample; the next batch is delivered as
   * usual. The default.
   */
  public static ErrorPolicy fail() {
    return FAIL;
  }

  /**
   * Returns the policy that delivers a batch without its failing samples. A batch is left out if
   * all its samples fail. But if ranks make equally many steps, no batch is left out: one sample of
   * such a batch is replaced by another sample, which is chosen as with {@link #substitute}. A
   * stream has no substitutes, so such a batch of a stream fails.
   */
  public static ErrorPolicy skip() {
    return new ErrorPolicy(Action.SKIP, OptionalLong.empty(), 1.0);
  }

  /**
   * Returns the policy that replaces a failing sample by another sample from this rank's part of
   * the epoch's order: no sample that the sampler leaves out, and no sample of another rank. The
   * choice is a function of (seed, epoch, position in the order). If ten substitutes for one sample
   * fail, the batch fails. Not for streams.
   */
  public static ErrorPolicy substitute() {
    return new ErrorPolicy(Action.SUBSTITUTE, OptionalLong.empty(), 1.0);
  }

  /**
   * Returns this policy with a budget: at most this many samples may fail in the loader's life.
   *
   * @param failures 0 or more; default any number
   * @throws IllegalArgumentException if the number is negative
   */
  public ErrorPolicy atMost(long failures) {
    if (failures < 0) {
      throw new IllegalArgumentException("failures must be 0 or more, was " + failures);
    }
    return new ErrorPolicy(action, OptionalLong.of(failures), maxRate);
  }

  /**
   * Returns this policy with a budget: at most this fraction of the samples may fail in the
   * loader's life. Until a thousand samples have been seen, the fraction refers to a thousand
   * samples, or to the epoch if the epoch is smaller. So an early failure does not exceed the
   * budget. One failure is always tolerated, unless the rate is 0. The number of samples in an
   * epoch of a stream is known only at its end: the last batch may fail then, or a call of {@code
   * next()} that has no batch to return.
   *
   * @param rate from 0 to 1; default 1
   * @throws IllegalArgumentException if the rate is out of range
   */
  public ErrorPolicy atMostRate(double rate) {
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException("rate must be from 0 to 1, was " + rate);
    }
    return new ErrorPolicy(action, maxFailures, rate);
  }

  /** Returns the treatment of a failing sample. */
  public Action action() {
    return action;
  }

  /** Returns how many samples may fail in the loader's life; empty: any number. */
  public OptionalLong maxFailures() {
    return maxFailures;
  }

  /** Returns which fraction of the samples may fail, from 0 to 1; 1: all. */
  public double maxRate() {
    return maxRate;
  }

  boolean exceededBy(long failures, long samples) {
    double allowed = maxRate > 0 ? Math.max(1, maxRate * samples) : 0;
    return failures > maxFailures.orElse(Long.MAX_VALUE) || failures > allowed;
  }

  /** Returns the action and the budget, for example {@code SKIP, at most 10 failures}. */
  @Override
  public String toString() {
    return action
        + (maxFailures.isEmpty()
            ? ""
            : ", at most " + Counts.of(maxFailures.getAsLong(), "failure"))
        + (maxRate == 1.0 ? "" : ", at most a rate of " + maxRate);
  }
}
