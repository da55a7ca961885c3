package io.feedline.stats.internal;

import io.feedline.stats.Stalls.Stall;

/**
 * An observer of a loader's work while it happens: the loader's own figures, the flight recorder's
 * events.
 *
 * <p>Calls about the consumer, epochs and idle workers come under the engine's lock; calls about
 * samples and assembled batches come from the worker that made them, at any time. So an
 * implementation takes no lock of the engine, calls user code only where a method allows it, and is
 * quick. All times are the loader's clock's.
 */
public interface LoaderObserver {

  /**
   * The observer of one worker's samples, called by that worker's thread: {@link #begin}, the
   * stages, {@link #end}. Another {@code begin} may follow instead: there was no sample, or the
   * worker had to wait for it. Only samples of measured batches are reported.
   */
  interface Samples {

    /** A sample begins. Returns whether the sample's stages and end shall be reported. */
    boolean begin();

    /** Notes that the sample of a row was in a stage for {@code nanos}, until now. */
    void stage(ObservedBatch batch, int row, int stage, long nanos);

    /**
     * Notes that the sample of a row is made, or has failed. The dataset may be asked for its
     * description.
     */
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

  /** Notes that the calling worker had nothing to do for {@code nanos}, until now. */
  default void idle(EpochFigures.Idle reason, long nanos) {}

  /** The consumer turns to an epoch. */
  default void epochBegins(long epoch, long at) {}

  /** The consumer comes for a batch. Once more if it gave up. */
  default void comes() {}

  /** Notes that the batch for which the consumer came is complete. */
  default void came() {}

  /** The consumer takes that batch, in which nothing may be left to deliver. */
  default void taken(FinishedBatch batch, BatchTaken taken) {}

  /** Notes that the consumer's wait for the batch was a stall. */
  default void stalled(Stall stall) {}

  /** The epoch has no more batches, or the consumer has left it; once for each that began. */
  default void epochEnds() {}
}
