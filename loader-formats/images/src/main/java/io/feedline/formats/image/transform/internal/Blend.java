package io.feedline.formats.image.transform.internal;

/**
 * Pillow's blend, in which its ImageEnhance is written: {@code from + factor * (to - from)}, in
 * float32, cut off to an integer. A factor of 1 gives {@code to}; what lies beyond 0 or 255 is
 * clipped.
 */
final class Blend {
  private Blend() {}

  static int of(int from, int to, float factor) {
    // A conversion of a float outside of int's range saturates, and so does the clipping.
    int value = (int) (from + factor * (to - from));
    return Math.max(0, Math.min(255, value));
  }
}
