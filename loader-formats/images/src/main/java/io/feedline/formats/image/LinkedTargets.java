package io.feedline.formats.image;

import java.util.ArrayList;
import java.util.List;

/**
 * The targets that change along with an image, such as its mask and its boxes, and further images,
 * in order. Immutable.
 */
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

  /** Returns these targets, and then others. */
  LinkedTargets and(LinkedTargets others) {
    if (this == NONE) {
      return others;
    }
    List<Object> together = new ArrayList<>(all);
    together.addAll(others.all);
    return of(together);
  }

  /** Returns the targets of a type. */
  <T> List<T> ofType(Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** These after a step. Most images have no targets, and pay nothing for it. */
  LinkedTargets after(ImageStep step) {
    return this == NONE
        ? this
        : new LinkedTargets(all.stream().map(target -> after(target, step)).toList());
  }

  /** Returns these targets with other boxes instead of their only boxes. */
  LinkedTargets withBoxes(BoundingBoxes boxes) {
    return of(
        all.stream().map(target -> target instanceof BoundingBoxes ? boxes : target).toList());
  }

  /** Tests whether a sample's value is a target of the sample's image. */
  static boolean isTarget(Object value) {
    return value instanceof Mask
        || value instanceof InstanceMasks
        || value instanceof BoundingBoxes
        || value instanceof KeyPoints
        || value instanceof BoxLabels;
  }

  private static Object after(Object target, ImageStep step) {
    if (target instanceof Mask mask) {
      return mask.with(step.apply(mask.geometry()));
    }
    if (target instanceof InstanceMasks masks) {
      return step.apply(masks);
    }
    if (target instanceof BoundingBoxes boxes) {
      return step.apply(boxes);
    }
    if (target instanceof KeyPoints points) {
      return step.apply(points);
    }
    return target instanceof BoxLabels labels
        ? step.apply(labels)
        : ((ScaledImage) target).after(step);
  }

  /**
   * Returns the name used in errors of a target or an image, with its own name if it has one: for
   * example {@code the mask a.png}.
   */
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

  /**
   * Checks that a target belongs to an image of a size; labels have no place in an image.
   *
   * @param named the target and the image, for the message
   * @throws IllegalArgumentException if it does not
   */
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
