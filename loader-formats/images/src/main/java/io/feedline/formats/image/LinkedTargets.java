package io.feedline.formats.image;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

/** The targets and further images that change along with an image. Immutable. */
final class LinkedTargets {

  static final LinkedTargets NONE = new LinkedTargets(List.of());

  private final List<Object> all;

  private LinkedTargets(List<Object> all) {
    this.all = all;
  }

  static LinkedTargets of(List<Object> all) {
    return all.isEmpty() ? NONE : new LinkedTargets(List.copyOf(all));
  }

  List<Object> all() {
    return all;
  }

  /** Returns these targets, followed by the others. */
  LinkedTargets and(LinkedTargets others) {
    if (this == NONE) {
      return others;
    }
    List<Object> together = new ArrayList<>(all);
    together.addAll(others.all);
    return of(together);
  }

  <T> List<T> ofType(Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Returns the targets after a step of the image. */
  LinkedTargets after(ImageStep step) {
    return changed(target -> after(target, step));
  }

  private LinkedTargets changed(UnaryOperator<Object> change) {
    return this == NONE ? this : new LinkedTargets(all.stream().map(change).toList());
  }

  LinkedTargets keepBoxes(BitSet kept, int count) {
    return changed(
        target -> {
          if (target instanceof InstanceMasks masks) {
            return masks.keepBoxes(kept, count);
          }
          if (target instanceof BoundingBoxes boxes) {
            return boxes.keepBoxes(kept, count);
          }
          if (target instanceof KeyPoints points) {
            return points.keepBoxes(kept, count);
          }
          return target instanceof BoxLabels labels ? labels.keepBoxes(kept, count) : target;
        });
  }

  LinkedTargets withBoxes(BoundingBoxes boxes) {
    return changed(target -> target instanceof BoundingBoxes ? boxes : target);
  }

  /** Returns true if an entry of a sample is a mask, masks, boxes, points or labels. */
  static boolean isTarget(Object value) {
    return value instanceof Mask
        || value instanceof InstanceMasks
        || value instanceof BoundingBoxes
        || value instanceof KeyPoints
        || value instanceof BoxLabels;
  }

  private static Object after(Object target, ImageStep step) {
    if (target instanceof Mask mask) {
      return mask.with(step.ids().apply(mask.geometry()));
    }
    if (target instanceof InstanceMasks masks) {
      return masks.with(step.ids().apply(masks.geometry()));
    }
    if (target instanceof BoundingBoxes boxes) {
      return step.boxes().apply(boxes);
    }
    if (target instanceof KeyPoints points) {
      return step.points().apply(points);
    }
    return target instanceof ScaledImage further ? further.after(step) : target;
  }

  /** Returns the name used in errors, for example {@code the mask a.png}. */
  static String describe(Object part) {
    if (part instanceof Mask mask) {
      return "the mask " + mask.description();
    }
    if (part instanceof InstanceMasks) {
      return "the instance masks";
    }
    if (part instanceof BoundingBoxes) {
      return "the boxes";
    }
    if (part instanceof KeyPoints) {
      return "the points";
    }
    return part instanceof BoxLabels ? "the labels" : "the image " + ((Image) part).description();
  }

  /** Throws {@link IllegalArgumentException} unless a target has the size of an image. */
  static void requireSize(String named, Object target, Image image) {
    if (target instanceof Mask mask) {
      FloatRows.requireSize(named, mask.width(), mask.height(), image);
    } else if (target instanceof InstanceMasks masks) {
      FloatRows.requireSize(named, masks.width(), masks.height(), image);
    } else if (target instanceof BoundingBoxes boxes) {
      FloatRows.requireSize(named, boxes.canvasWidth(), boxes.canvasHeight(), image);
    } else if (target instanceof KeyPoints points) {
      FloatRows.requireSize(named, points.canvasWidth(), points.canvasHeight(), image);
    } else if (target instanceof ScaledImage further) {
      further.requireSize(named, image);
    }
  }
}
