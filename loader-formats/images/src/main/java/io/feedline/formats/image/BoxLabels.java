package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.internal.Counts;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Whole numbers that belong to the boxes of an image, such as the class of each box, or 1 for a
 * crowd. An INT64 tensor of shape (n), or (n, k) if each box has k labels, such as the visibility
 * of its points. When {@code SanitizeBoundingBoxes} removes a box, it removes the box's numbers; no
 * other operation changes them. Immutable and thread-safe.
 */
public final class BoxLabels implements TensorSource {

  private final long[] labels;

  /** The count of numbers per box; 0 for labels of shape (n). */
  private final int perBox;

  private BoxLabels(long[] labels, int perBox) {
    this.labels = labels;
    this.perBox = perBox;
  }

  /**
   * Returns one number for each box, of shape (n).
   *
   * @param labels copied
   */
  public static BoxLabels of(long... labels) {
    return new BoxLabels(labels.clone(), 0);
  }

  /**
   * Returns several numbers for each box, of shape (n, {@code perBox}).
   *
   * @param labels the first box's before the second's; copied
   * @param perBox how many numbers each box has, 1 or more
   * @throws IllegalArgumentException if {@code perBox} is less than 1, or the count of numbers is
   *     not a multiple of {@code perBox}
   */
  public static BoxLabels ofRows(long[] labels, int perBox) {
    if (perBox < 1 || labels.length % perBox != 0) {
      throw new IllegalArgumentException(
          "%d numbers are not those of boxes with %d each".formatted(labels.length, perBox));
    }
    return new BoxLabels(labels.clone(), perBox);
  }

  static BoxLabels joined(List<BoxLabels> all) {
    BoxLabels first = all.get(0);
    for (BoxLabels labels : all) {
      if (labels.perBox != first.perBox) {
        throw new IllegalArgumentException(
            "%s and %s do not go together: boxes have one number of labels"
                .formatted(first, labels));
      }
    }
    return new BoxLabels(
        all.stream().flatMapToLong(labels -> Arrays.stream(labels.labels)).toArray(), first.perBox);
  }

  /** Returns the number of boxes with labels. */
  public int count() {
    return labels.length / Math.max(1, perBox);
  }

  /** Returns the numbers in a new array. */
  public long[] toArray() {
    return labels.clone();
  }

  BoxLabels keepBoxes(BitSet kept, int boxes) {
    if (boxes != count()) {
      throw new IllegalArgumentException(
          "found %s, but labels for %d: give each box one"
              .formatted(Counts.of(boxes, "box"), count()));
    }
    int each = Math.max(1, perBox);
    return new BoxLabels(
        kept.stream()
            .flatMap(box -> IntStream.range(each * box, each * (box + 1)))
            .mapToLong(i -> labels[i])
            .toArray(),
        perBox);
  }

  /** Returns INT64. */
  @Override
  public DType dtype() {
    return DType.INT64;
  }

  /** Returns (n) or (n, k). */
  @Override
  public Shape shape() {
    return perBox == 0 ? Shape.of(count()) : Shape.of(count(), perBox);
  }

  @Override
  public void writeTo(ByteBuffer target) {
    target.asLongBuffer().put(labels);
  }

  /** Returns the numbers, for example {@code BoxLabels[1, 18]}. */
  @Override
  public String toString() {
    return "BoxLabels" + Arrays.toString(labels);
  }
}
