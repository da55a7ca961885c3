package io.feedline;

import org.jspecify.annotations.Nullable;

/**
 * The choice of how many workers work, and how many batches they prepare ahead, while a loader
 * runs. It changes the time at which batches are made, never their content.
 *
 * <p>Not thread-safe: the engine's lock guards it.
 */
interface Tuner {

  record Setting(int workers, int prefetch, String reason) {}

  /**
   * The measurements when the consumer takes a batch.
   *
   * @param at the time, in nanoseconds of the loader's clock
   * @param waited nanoseconds that the consumer waited for the batch
   * @param idle nanoseconds for which workers had no room to prepare another batch, summed over the
   *     workers and the loader's life
   * @param inFlight the number of later batches in production
   * @param ready the number of later batches that are done
   * @param slotBytes the bytes of the largest batch; 0 if unknown
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

  Setting first();

  /** Returns the new setting; null to keep the present setting. */
  @Nullable Setting taken(Take take);

  /** Limits the workers from now on, since no more threads can be started. */
  void limit(int workers);
}
