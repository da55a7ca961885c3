package io.feedline.bench;

/**
 * The copies of one way to the device in one turn.
 *
 * @param bytes copied in all, 1 or more
 * @param nanos from the first call to the end of the last copy, above 0
 * @param calls nanoseconds that each batch held the calling thread up before the thread could
 *     continue; empty for the ceiling
 */
record CopyTurn(long bytes, double nanos, Percentiles calls) {

  /** Billions of bytes per second. */
  double gigabytesPerSecond() {
    return bytes / nanos;
  }
}
