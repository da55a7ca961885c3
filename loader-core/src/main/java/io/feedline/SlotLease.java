package io.feedline;

import org.jspecify.annotations.Nullable;

/** The loan of a slot to the consumer of its batch: ends when the batch is closed. */
final class SlotLease implements AutoCloseable {

  /** Its stack trace shows where a batch was taken. */
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
  private final TakenHere taken;

  SlotLease(Engine<?> engine, Slot slot, long batch, long epoch, boolean remember) {
    this.engine = engine;
    this.slot = slot;
    this.taken = remember ? new TakenHere(batch, epoch) : null;
  }

  /** Null unless the place is remembered. */
  @Nullable TakenHere taken() {
    return taken;
  }

  Slot slot() {
    return slot;
  }

  /** Called once. */
  @Override
  public void close() {
    engine.takeBack(this);
  }
}
