package io.feedline;

import org.jspecify.annotations.Nullable;

/**
 * The choice of how many workers work, and how many batches they prepare ahead, while a loader
 * runs. It changes when batches are made, never what is in them.
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
   * @param inFlight how many batches are on their way behind it
   * @param ready how many of these are done
   * @param slotBytes what the largest batch takes; 0: not known
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

  /** Returns what to begin with. */
  Setting first();

  /** The consumer takes a batch. Returns what to change to; null: nothing. */
  @Nullable Setting taken(Take take);

  /** There can be no more than so many workers, 1 or more, and there are no more from here on. */
  void limit(int workers);
}
