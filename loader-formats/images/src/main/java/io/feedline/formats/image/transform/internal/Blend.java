package io.feedline.formats.image.transform.internal;

/**
 * Pillow's blend, the base of its ImageEnhance: {@code from + factor * (to - from)}, in float32,
 * truncated to an integer. A factor of 1 gives {@code to}; values beyond 0 or 255 are clipped.
 */
final class Blend {
  private Blend() {}

  static int of(int from, int to, float factor) {
    // A conversion of a float outside of int's range saturates, and so does the clipping.
    int value = (int) (from + factor * (to - from));
    return Math.max(0, Math.min(255, value));
  }
}
