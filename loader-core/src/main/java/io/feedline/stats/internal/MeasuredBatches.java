package io.feedline.stats.internal;

/**
 * The choice of the batches whose times are measured, with all their samples and stages.
 *
 * <h2>Implementation note</h2>
 *
 * <p>To measure a sample takes {@value #COST_NANOS} ns, or more where the clocks are slow: most of
 * this time is system calls for the thread's processor time. So a batch is measured with a
 * probability that keeps the cost at a {@value #SHARE}th of the workers' time, at the present rate
 * of batches. A pause between two batches in which the thread waited for a processor is no work, so
 * the pause counts as {@value #LONGEST} usual pauses at most. Batches of expensive samples are all
 * measured, and few batches of cheap samples. The choice is random, since slow batches may come at
 * regular distances; a measured batch is weighted by the inverse of its probability (the estimator
 * of Horvitz and Thompson, normalized as H&aacute;jek does). The first {@value #AT_FIRST} batches
 * are all measured. Batches after a long wait of the consumer are measured, too, until the cost is
 * a {@value #CLOSE_SHARE}th of that wait.
 *
 * <p>Not thread-safe: under the engine's lock.
 */
public final class MeasuredBatches {

  static final int COST_NANOS = 2_000;
  static final int SHARE = 200;
  static final int CLOSE_SHARE = 16;
  static final int AT_FIRST = 16;
  private static final int MEMORY = 32;

  /** The longest pause that counts as work, in multiples of the usual pause between two batches. */
  static final int LONGEST = 16;

  private static final int READINGS = 6;
  private static final int TRIALS = 8;

  private final LoaderClock clock;
  private final long costNanos;

  private long opened;
  private long lastAt;

  /** The mean nanoseconds from the opening of a batch to the next, times the number of workers. */
  private double worked;

  /** The cost, in nanoseconds, up to which all next batches are measured after a long wait. */
  private long closely;

  /** The state of the generator of random numbers; not 0. */
  private int chance = 1;

  public MeasuredBatches(LoaderClock clock) {
    this.clock = clock;
    this.costNanos = Math.max(COST_NANOS, READINGS * readingNanos(clock));
  }

  private static long readingNanos(LoaderClock clock) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TRIALS; i++) {
      long from = clock.now();
      clock.cpu();
      least = Math.min(least, clock.now() - from);
    }
    return least;
  }

  void lookClosely(long waited) {
    closely = Math.max(closely, waited / CLOSE_SHARE);
  }

  /**
   * Chooses whether a batch that is being opened is measured.
   *
   * @return the number of batches that the batch represents; 0 if it is not measured
   */
  public double next(int rows, int workers, long now) {
    long cost = costNanos * rows;
    double wanted = (double) cost * SHARE;
    if (opened > 0) {
      double usual = opened < AT_FIRST ? wanted : Math.min(wanted, Math.max(worked, (double) cost));
      double passed = Math.min((double) (now - lastAt) * Math.max(1, workers), LONGEST * usual);
      worked += (passed - worked) / Math.min(opened, MEMORY);
    }
    lastAt = now;
    boolean surely = opened < AT_FIRST || closely > 0 || clock.events().everyBatch();
    opened++;
    closely = Math.max(0, closely - cost);
    if (surely) {
      return 1;
    }
    return random() * wanted < worked ? Math.max(1, wanted / worked) : 0;
  }

  /** Returns a number from 0 to less than 1, by Marsaglia's xorshift. */
  private double random() {
    chance ^= chance << 13;
    chance ^= chance >>> 17;
    chance ^= chance << 5;
    return (chance >>> 1) / (1.0 + Integer.MAX_VALUE);
  }
}
