package io.feedline.stats.internal;

import io.feedline.stats.Stalls.Stall;

/**
 * A tool that is told what a loader does while it does it: the loader's own figures, the flight
 * recorder's events.
 *
 * <p>Calls about the consumer, epochs and idle workers come under the engine's lock; calls about
 * samples and assembled batches come from the worker that made them, at any time. So an
 * implementation takes no lock of the engine's, calls no user code but where it is said, and is
 * quick. All times are the loader's clock's.
 */
public interface LoaderObserver {

  /**
   * The observer of one worker's samples, called by that worker's thread: {@link #begin}, the
   * stages, {@link #end}. After a {@code begin} may come another one instead: there was no sample
   * to be had, or it had to be waited for. Only samples of measured batches are told.
   */
  interface Samples {

    /** A sample begins. Returns whether its stages and its end shall be told. */
    boolean begin();

    /** The sample of a row was in a stage for so long, until now. */
    void stage(ObservedBatch batch, int row, int stage, long nanos);

    /** It is made, or has failed. The dataset may be asked for its description. */
    void end(ObservedBatch batch, int row);
  }

  /** An observer that ignores samples. */
  Samples NO_SAMPLES =
      new Samples() {
        @Override
        public boolean begin() {
          return false;
        }

        @Override
        public void stage(ObservedBatch batch, int row, int stage, long nanos) {}

        @Override
        public void end(ObservedBatch batch, int row) {}
      };

  /** Returns an observer of a worker's samples. */
  default Samples samples() {
    return NO_SAMPLES;
  }

  /** Tests whether each batch shall be measured, and not only some. */
  default boolean everyBatch() {
    return false;
  }

  /** A measured batch is put together; by the worker that finished its last row. */
  default void assembled(BatchTimes times) {}

  /** The calling worker had nothing to do for so long, until now. */
  default void idle(EpochFigures.Idle reason, long nanos) {}

  /** The consumer turns to an epoch. */
  default void epochBegins(long epoch, long at) {}

  /** The consumer comes for a batch. Once more if it gave up. */
  default void comes() {}

  /** The batch that the consumer came for is there. */
  default void came() {}

  /** The consumer takes that batch, in which nothing may be left to deliver. */
  default void taken(FinishedBatch batch, BatchTaken taken) {}

  /** It had to wait for it. */
  default void stalled(Stall stall) {}

  /** The epoch has no more batches, or the consumer has left it; once for each that began. */
  default void epochEnds() {}
}
