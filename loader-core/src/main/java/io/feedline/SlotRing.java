package io.feedline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The slots of an {@link Engine}: the free slots, and the slots that the consumer holds. The engine
 * holds the slots of batches in flight.
 *
 * <p>The ring bounds memory by the number of slots and by their bytes. A slot is made when a batch
 * is opened and no slot is free. Not thread-safe: the engine's lock guards it.
 */
final class SlotRing {

  /** An exception whose stack trace shows where a batch was taken. */
  static final class TakenHere extends Exception {
    private static final long serialVersionUID = 1L;

    TakenHere(long batch, long epoch) {
      super(
          "batch %d of epoch %d was taken here, by %s, and is still open"
              .formatted(batch, epoch, Thread.currentThread().getName()));
    }
  }

  private final LoaderOptions<?> options;
  private final CountingAllocator allocator;

  private final List<Slot> slots = new ArrayList<>();

  private final ArrayDeque<Slot> free = new ArrayDeque<>();

  /** The consumer's slots, each with the code place where its batch was taken, if recorded. */
  private final Map<Slot, Optional<TakenHere>> open = new LinkedHashMap<>();

  private long largest;
  private boolean closed;

  SlotRing(LoaderOptions<?> options) {
    this.options = options;
    this.allocator = new CountingAllocator(options.allocator());
  }

  Slot next() {
    if (free.isEmpty()) {
      Slot slot = new Slot(allocator);
      slots.add(slot);
      return slot;
    }
    return free.pop();
  }

  void putBack(Slot slot) {
    free.push(slot);
  }

  boolean hasRoom(int inFlight) {
    return (!free.isEmpty() || slots.size() < options.slots()) && withinBytes(inFlight);
  }

  /**
   * Tests whether another batch fits into the memory that slots may take, if it is as large as the
   * largest slot so far. One batch is always allowed; a second batch is allowed only when the size
   * of the first batch is known.
   */
  private boolean withinBytes(int inFlight) {
    if (options.prefetchBytes().isEmpty() || inFlight == 0) {
      return true;
    }
    // Memory that workers are about to allocate, and memory that is not freed yet, count as well.
    long bytes = allocator.unfreedBytes();
    for (Slot slot : slots) {
      bytes += slot.expectedBytes(largest);
    }
    long has = free.isEmpty() ? 0 : free.peek().expectedBytes(largest);
    long more = Math.max(0, largest - has);
    return largest > 0 && bytes + more <= options.prefetchBytes().getAsLong();
  }

  void confirmSize(Slot slot) {
    slot.confirmSize();
    largest = Math.max(largest, slot.bytes());
  }

  void recycle(Slot slot) {
    if (closed) {
      slot.release();
      return;
    }
    slot.recycle();
    slot.confirmSize();
    if (slot.bytes() > 0) {
      // The memory of the slot used last is still in the processor's caches.
      free.push(slot);
    } else {
      free.add(slot);
    }
  }

  void open(Slot slot, Optional<TakenHere> taken) {
    open.put(slot, taken);
  }

  void takeBack(Slot slot) {
    open.remove(slot);
    recycle(slot);
  }

  int openBatches() {
    return open.size();
  }

  Stream<TakenHere> places() {
    return open.values().stream().flatMap(Optional::stream);
  }

  long bytes() {
    return allocator.bytes();
  }

  long largest() {
    return largest;
  }

  int free() {
    return closed ? 0 : free.size() + options.slots() - slots.size();
  }

  /** Frees the memory of the free slots; of other slots, when their batches end. */
  void close() {
    closed = true;
    free.forEach(Slot::release);
    free.clear();
  }
}
