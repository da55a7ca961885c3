package io.feedline.formats.image;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** All linked targets of an image, in order. */
final class LinkedTargets {

  static final LinkedTargets NONE = new LinkedTargets(List.of());

  private final List<LinkedTarget> all;

  private LinkedTargets(List<LinkedTarget> all) {
    this.all = all;
  }

  static LinkedTargets of(List<? extends LinkedTarget> all) {
    return all.isEmpty() ? NONE : new LinkedTargets(List.copyOf(all));
  }

  List<LinkedTarget> all() {
    return all;
  }

  /** These, and then others. */
  LinkedTargets and(LinkedTargets others) {
    if (this == NONE) {
      return others;
    }
    List<LinkedTarget> together = new ArrayList<>(all);
    together.addAll(others.all);
    return of(together);
  }

  /** Returns the targets of a type. */
  <T extends LinkedTarget> List<T> ofType(Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** These after an operation. Most images have no targets, and pay nothing for it. */
  LinkedTargets each(UnaryOperator<LinkedTarget> operation) {
    return this == NONE ? this : new LinkedTargets(all.stream().map(operation).toList());
  }

  /** With other boxes in the place of the only ones. */
  LinkedTargets withBoxes(BoundingBoxes boxes) {
    return each(target -> target instanceof BoundingBoxes ? boxes : target);
  }
}
