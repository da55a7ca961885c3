package io.feedline.formats.lmdb;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A tensor that every sample of an {@link LmdbTensors} has.
 *
 * @param shape the lengths of the axes, outermost first; {@link #VARYING} for an axis whose length
 *     differs between samples
 */
record TensorField(String name, DType dtype, List<Long> shape) {

  public static final long VARYING = -1;

  public TensorField {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(dtype, "dtype");
    shape = List.copyOf(shape);
    if (shape.stream().anyMatch(length -> length < VARYING)) {
      throw new IllegalArgumentException(
          "lengths must be 0 or more, or -1 where they vary, were " + shape);
    }
  }

  static TensorField of(String name, DType dtype, Shape shape) {
    return new TensorField(name, dtype, Arrays.stream(shape.lengths()).boxed().toList());
  }

  boolean accepts(DType foundType, Shape found) {
    boolean fits = foundType == dtype && found.rank() == shape.size();
    for (int axis = 0; fits && axis < shape.size(); axis++) {
      fits = shape.get(axis) == VARYING || shape.get(axis) == found.length(axis);
    }
    return fits;
  }

  /**
   * Returns a field for this shape and another; lengths that differ become {@link #VARYING}.
   *
   * @throws IllegalArgumentException if the dtype or the number of axes differs
   */
  TensorField widened(DType foundType, Shape found) {
    if (foundType != dtype || found.rank() != shape.size()) {
      throw new IllegalArgumentException(
          "entry '%s' is %s %s, the samples before have %s with %d axes"
              .formatted(name, foundType, found, dtype, shape.size()));
    }
    List<Long> lengths = new ArrayList<>(shape);
    for (int axis = 0; axis < shape.size(); axis++) {
      if (shape.get(axis) != found.length(axis)) {
        lengths.set(axis, VARYING);
      }
    }
    return new TensorField(name, dtype, lengths);
  }
}
