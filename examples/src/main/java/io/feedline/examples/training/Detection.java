package io.feedline.examples.training;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A box that a network has found, or a true one.
 *
 * @param label the index of its class
 * @param score from 0 to 1
 * @param left edge in pixels
 * @param top edge in pixels
 * @param right edge in pixels
 * @param bottom edge in pixels
 */
record Detection(int label, float score, float left, float top, float right, float bottom) {

  /** Intersection over union, 0 to 1. */
  float overlap(Detection other) {
    float width = Math.min(right, other.right) - Math.max(left, other.left);
    float height = Math.min(bottom, other.bottom) - Math.max(top, other.top);
    if (width <= 0 || height <= 0) {
      return 0;
    }
    float common = width * height;
    return common / (area() + other.area() - common);
  }

  private float area() {
    return (right - left) * (bottom - top);
  }

  /**
   * Leaves out boxes that overlap with a better box of the same class: non-maximum suppression.
   *
   * @param limit the largest overlap of two that both stay
   * @return the best first
   */
  static List<Detection> suppress(List<Detection> found, float limit) {
    List<Detection> kept = new ArrayList<>();
    for (Detection each :
        found.stream().sorted(Comparator.comparing(Detection::score).reversed()).toList()) {
      if (kept.stream()
          .noneMatch(better -> better.label == each.label && better.overlap(each) > limit)) {
        kept.add(each);
      }
    }
    return kept;
  }
}
