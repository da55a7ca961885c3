package io.feedline.formats.image.transform.internal;

/**
 * The function {@code blend} of Pillow's ImageEnhance: {@code from + factor * (to - from)}, in
 * float32, truncated to an integer. A factor of 1 returns {@code to}; results are clipped to
 * 0..255.
 */
final class Blend {
  private Blend() {}

  static int of(int from, int to, float factor) {
    // A float outside int's range becomes the nearest int, which is then clipped.
    int value = (int) (from + factor * (to - from));
    return Math.max(0, Math.min(255, value));
  }
}
