package io.feedline.bench;

import java.util.Locale;

/** A kind of copy from host memory to a GPU. */
enum CopyKind {
  /** Ordinary memory, one batch after the other, as DJL copies. */
  PAGEABLE,

  /** Page-locked memory, one batch after the other; the thread waits for each copy. */
  PINNED,

  /**
   * Page-locked memory; the next batch is copied while the previous batch is consumed: a stream of
   * its own copies it on the device. Feedline's ring of device slots does the same.
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
