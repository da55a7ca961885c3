package io.feedline.bench;

import java.util.Locale;

/** A way from host memory to a GPU. */
enum CopyKind {
  /** Ordinary memory, one batch after the other, as DJL copies it. */
  PAGEABLE,

  /** Page-locked memory, one batch after the other: each copy is waited for. */
  PINNED,

  /**
   * Page-locked memory; the next batch is copied while the previous one is consumed, by a copy on
   * the device in another stream. Feedline's ring of device slots works so.
   */
  OVERLAPPED,

  /**
   * The limit of the machine: large pieces of page-locked memory, directly one after the other,
   * timed by the GPU's clock.
   */
  CEILING;

  /** As it is written in a line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
