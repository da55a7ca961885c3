package io.feedline.batch;

import java.util.Arrays;

/**
 * The lengths of a tensor's axes, outermost first; a scalar has no axes. Immutable.
 *
 * <p>The last axis is contiguous in memory (row-major order, without padding).
 */
public final class Shape {

  /** The shape of a scalar: no axes, one element. */
  public static final Shape SCALAR = new Shape();

  private final long[] lengths;
  private final long elements;

  private Shape(long... lengths) {
    long product = 1;
    for (long length : lengths) {
      if (length < 0) {
        throw new IllegalArgumentException("negative length in shape " + Arrays.toString(lengths));
      }
      product = Math.multiplyExact(product, length);
    }
    this.lengths = lengths;
    this.elements = product;
  }

  /**
   * Returns the shape with these axes.
   *
   * @throws IllegalArgumentException if a length is negative
   * @throws ArithmeticException if the number of elements exceeds {@link Long#MAX_VALUE}
   */
  public static Shape of(long... lengths) {
    return lengths.length == 0 ? SCALAR : new Shape(lengths.clone());
  }

  /** Returns the number of axes. */
  public int rank() {
    return lengths.length;
  }

  /**
   * Returns the length of one axis.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such axis
   */
  public long length(int axis) {
    return lengths[axis];
  }

  /** Returns the lengths of all axes, in a new array. */
  public long[] lengths() {
    return lengths.clone();
  }

  /** Returns the number of elements: the product of the lengths, 1 for a scalar. */
  public long elements() {
    return elements;
  }

  /** Returns the shape of a batch of {@code length} tensors of this shape: an axis in front. */
  public Shape prepend(long length) {
    long[] longer = new long[lengths.length + 1];
    longer[0] = length;
    System.arraycopy(lengths, 0, longer, 1, lengths.length);
    return new Shape(longer);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape shape && Arrays.equals(lengths, shape.lengths);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(lengths);
  }

  /** Returns the lengths as text, for example {@code (3, 224, 224)}. */
  @Override
  public String toString() {
    return Arrays.toString(lengths).replace('[', '(').replace(']', ')');
  }
}
