package io.feedline;

import org.jspecify.annotations.Nullable;

/**
 * The choice of how many workers work, and how many batches they prepare ahead, while a loader
 * runs. It changes when batches are made, never their content.
 *
 * <p>Not thread-safe: under the engine's lock.
 */
interface Tuner {

  /**
   * The settings of a loader.
   *
   * @param workers how many work, 1 or more
   * @param prefetch how many batches are prepared ahead, 1 or more
   * @param reason why
   */
  record Setting(int workers, int prefetch, String reason) {}

  /**
   * The measurements when the consumer takes a batch.
   *
   * @param at when, by the loader's clock
   * @param waited how long it waited for the batch
   * @param samples how many samples the batch used up
   * @param idle how long workers have had no room to prepare another batch, in the loader's life,
   *     their times added
   * @param inFlight how many later batches are in production
   * @param ready the number of these batches that are done
   * @param slotBytes the bytes of the largest batch; 0 if unknown
   * @param firstOfEpoch whether the consumer has just come to the epoch
   */
  record Take(
      long at,
      long waited,
      int samples,
      long idle,
      int inFlight,
      int ready,
      long slotBytes,
      boolean firstOfEpoch) {}

  /** Returns the first setting. */
  Setting first();

  /**
   * Learns from a batch that the consumer takes. Returns the new setting; null to keep the present
   * setting.
   */
  @Nullable Setting taken(Take take);

  /** Limits the number of workers from now on, since no more threads can be started; 1 or more. */
  void limit(int workers);
}
