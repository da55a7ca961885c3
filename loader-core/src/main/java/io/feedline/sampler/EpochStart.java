package io.feedline.sampler;

/**
 * The position of an epoch's beginning in the words of a PyTorch generator; the later epochs follow
 * one after the other, each run to its end.
 *
 * @param epoch the epoch that begins there
 * @param draw how many 32-bit words the generator has given before
 */
record EpochStart(long epoch, long draw) {

  /** The first epoch, with the first word. */
  static final EpochStart FIRST = new EpochStart(0, 0);

  EpochStart {
    if (epoch < 0 || draw < 0) {
      throw new IllegalArgumentException(
          "epoch and draw must be 0 or more, were epoch %d, draw %d".formatted(epoch, draw));
    }
  }

  /**
   * Returns how many words have been given before an epoch. For an epoch in front of this place, it
   * is counted from the first.
   *
   * @param words of an epoch that runs to its end
   * @throws IllegalArgumentException if the epoch is negative
   */
  long drawOf(long another, long words) {
    if (another < 0) {
      throw new IllegalArgumentException("epoch must be 0 or more, was " + another);
    }
    return another < epoch
        ? Math.multiplyExact(another, words)
        : Math.addExact(draw, Math.multiplyExact(another - epoch, words));
  }
}
