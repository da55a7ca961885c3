package io.feedline.examples.training;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A box that a network has predicted, or a true box; its edges are in pixels.
 *
 * @param label the index of its class
 * @param score from 0 to 1
 */
record Detection(int label, float score, float left, float top, float right, float bottom) {

  /** Returns the intersection over union with another box, from 0 to 1. */
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
   * Removes boxes that overlap with a better box of the same class (non-maximum suppression).
   *
   * @param limit the largest overlap of two boxes that are both kept
   * @return the kept boxes, the best first
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
