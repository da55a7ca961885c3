package io.feedline.bench;

import java.util.Locale;

/** A kind of copy from host memory to a GPU. */
enum CopyKind {
  /** Ordinary memory, one batch after the other, as DJL copies. */
  PAGEABLE,

  /** Page-locked memory, one batch after the other; the thread waits for each copy. */
  PINNED,

  /**
   * Page-locked memory. While a stream copies a batch to the device, a second stream consumes the
   * previous batch: it copies that batch within the device. Feedline does the same with its ring of
   * device slots.
   */
  OVERLAPPED,

  /**
   * The limit of the machine: large pieces of page-locked memory, copied directly one after the
   * other, and timed by the GPU's clock.
   */
  CEILING;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
