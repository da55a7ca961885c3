package io.feedline;

import java.util.Objects;

/**
 * One entry of a batch: either a tensor with one row per sample, or a list with one value per
 * sample.
 *
 * <p>Its name is the path of the entry within a sample, for example {@code image}, {@code
 * boxes.left} or {@code 0}; that of a sample which is a single value is {@code data}.
 */
public sealed interface Column {

  /** Returns the entry's name, unique within the batch. */
  String name();

  /**
   * An entry that is stacked into a tensor.
   *
   * @param name the entry's name
   * @param dtype the element type
   * @param shape of one row, without the batch axis
   */
  record OfTensor(String name, DType dtype, Shape shape) implements Column {
    /** Checks that nothing is null. */
    public OfTensor {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(dtype, "dtype");
      Objects.requireNonNull(shape, "shape");
    }

    long rowBytes() {
      return Tensor.byteSize(dtype, shape);
    }

    @Override
    public String toString() {
      return "'%s' %s %s".formatted(name, dtype, shape);
    }
  }

  /**
   * An entry whose values are collected in a list, unchanged.
   *
   * @param name the entry's name
   */
  record OfValues(String name) implements Column {
    /** Checks that nothing is null. */
    public OfValues {
      Objects.requireNonNull(name, "name");
    }

    @Override
    public String toString() {
      return "'%s' values".formatted(name);
    }
  }
}
