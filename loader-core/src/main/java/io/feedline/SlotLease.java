package io.feedline;

/**
 * The loan of a slot to the consumer of its batch: ends when the batch is closed. Every tensor of
 * the batch asks it whether its memory is still its own.
 */
final class SlotLease implements Tensor.Liveness, AutoCloseable {

  /** The place where a batch was taken; its stack trace says so. */
  static final class TakenHere extends Exception {
    private static final long serialVersionUID = 1L;

    TakenHere(long batch, long epoch) {
      super(
          "batch %d of epoch %d was taken here, by %s, and is still open"
              .formatted(batch, epoch, Thread.currentThread().getName()));
    }
  }

  private final Engine<?> engine;
  private final Slot slot;
  private final long batch;
  private final long epoch;
  private final TakenHere taken;
  private volatile boolean ended;

  /** What is given back together with the slot, and before it. */
  private Runnable companion = () -> {};

  SlotLease(Engine<?> engine, Slot slot, long batch, long epoch, boolean remember) {
    this.engine = engine;
    this.slot = slot;
    this.batch = batch;
    this.epoch = epoch;
    this.taken = remember ? new TakenHere(batch, epoch) : null;
  }

  @Override
  public void check() {
    if (ended) {
      throw new IllegalStateException(
          "batch %d of epoch %d has been closed, and its memory belongs to a later batch; close it when all of it is used, or take Tensor.copy() of what is kept longer"
              .formatted(batch, epoch));
    }
  }

  /** Returns where the batch was taken; null unless that is remembered. */
  TakenHere taken() {
    return taken;
  }

  Slot slot() {
    return slot;
  }

  /** Has something else done when the loan ends, once, before the slot goes back. */
  synchronized void whenEnded(Runnable action) {
    companion = action;
  }

  /** Gives the slot back; may be called twice. */
  @Override
  public synchronized void close() {
    if (!ended) {
      ended = true;
      try {
        companion.run();
      } finally {
        engine.takeBack(this);
      }
    }
  }
}
