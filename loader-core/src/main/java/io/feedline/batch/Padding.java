package io.feedline.batch;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The padding of an entry of varying length by a {@link PaddingCollator}. Immutable. Each method
 * that takes a value throws {@link IllegalArgumentException} if the value is out of its range.
 *
 * <p>By default the first axis is padded at its end with zeros, to the longest sample of the batch:
 *
 * <pre>{@code
 * Padding.zeros()
 * Padding.with(-100).multipleOf(8)          // token labels, for tensor cores
 * Padding.zeros().axes(1, 2)                // images (3, h, w) of different sizes
 * Padding.zeros().left().length(512)        // a fixed length
 * }</pre>
 *
 * @param value the padding; for whole-number dtypes a whole number within the dtype's range
 * @param side the end of the elements to which padding is added
 * @param axes the padded axes, counted from 0 without the batch axis; all other axes must have
 *     equal lengths
 * @param multipleOf the number to whose multiple padded lengths are rounded up, 1 or more; with
 *     fixed lengths only 1
 * @param lengths the fixed length of each padded axis; empty for the longest of the batch
 * @param lengthsName the name of the tensor with the lengths before padding; empty for the entry's
 *     name and {@code _length}
 */
public record Padding(
    double value,
    Side side,
    List<Integer> axes,
    int multipleOf,
    List<Long> lengths,
    String lengthsName) {

  /** The end of the elements to which padding is added. */
  public enum Side {
    /** Before the first element, as language models need it to generate text. */
    LEFT,
    /** After the last element. */
    RIGHT
  }

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if an option is out of its range or two options exclude each
   *     other
   */
  public Padding {
    Objects.requireNonNull(side, "side");
    Objects.requireNonNull(lengthsName, "lengthsName");
    axes = axes.stream().sorted().distinct().toList();
    lengths = List.copyOf(lengths);
    require(!axes.isEmpty() && axes.get(0) >= 0, "axes must be 0 or more, were " + axes);
    require(multipleOf >= 1, "multipleOf must be 1 or more, was " + multipleOf);
    require(
        lengths.isEmpty() || lengths.size() == axes.size(),
        "length needs one length for each of the axes %s, was %s".formatted(axes, lengths));
    for (long length : lengths) {
      require(length >= 0, "length must be 0 or more, was " + lengths);
    }
    require(
        lengths.isEmpty() || multipleOf == 1,
        "length(%s) and multipleOf(%d) exclude each other".formatted(lengths, multipleOf));
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Returns a padding of the first axis at its end with zeros, to the longest of the batch. */
  public static Padding zeros() {
    return with(0);
  }

  /**
   * Returns a padding of the first axis at its end with a value, to the longest of the batch.
   *
   * @param value within the range of the entry's dtype; otherwise collating fails
   */
  public static Padding with(double value) {
    return new Padding(value, Side.RIGHT, List.of(0), 1, List.of(), "");
  }

  /** Returns a copy of this padding that adds padding before the first element. */
  public Padding left() {
    return new Padding(value, Side.LEFT, axes, multipleOf, lengths, lengthsName);
  }

  /**
   * Returns a copy of this padding that pads other axes.
   *
   * @param padded the axes, counted from 0, without the batch axis, in ascending order
   */
  public Padding axes(int... padded) {
    List<Integer> list = Arrays.stream(padded).boxed().toList();
    return new Padding(value, side, list, multipleOf, lengths, lengthsName);
  }

  /**
   * Returns a copy of this padding that rounds padded lengths up to a multiple of a number.
   *
   * @param multiple 1 or more
   */
  public Padding multipleOf(int multiple) {
    return new Padding(value, side, axes, multiple, lengths, lengthsName);
  }

  /**
   * Returns a copy of this padding that pads to fixed lengths instead of the longest sample of the
   * batch; a longer sample is an error.
   *
   * @param fixed one length for each padded axis, in ascending order of the axes
   */
  public Padding length(long... fixed) {
    List<Long> list = Arrays.stream(fixed).boxed().toList();
    return new Padding(value, side, axes, multipleOf, list, lengthsName);
  }

  /** Returns a copy of this padding with another name for the tensor of lengths. */
  public Padding lengthsName(String name) {
    return new Padding(value, side, axes, multipleOf, lengths, name);
  }
}
