package io.feedline.batch;

import io.feedline.batch.ListCollator.BatchAssembler;
import io.feedline.batch.ListCollator.SampleCollationException;
import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.internal.ClassNames;
import io.feedline.internal.Majority;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One padded entry of a batch.
 *
 * <p>If only the first axis is padded, a sample's elements stay together, and the sample writes
 * itself directly into the row. Otherwise the elements are spread over the row, and a second copy
 * is unavoidable: a {@link TensorSource} can only write itself as a whole.
 */
final class PaddedColumn {

  private final String name;
  private final Padding padding;
  private final List<Object> entries;
  private final DType dtype;
  private final Shape[] shapes;

  /** The dtype of an entry, and the lengths of its unpadded axes, which all rows share. */
  private record Kind(DType dtype, List<Long> fixed) {}

  PaddedColumn(String name, Padding padding, List<Object> entries) throws Exception {
    this.name = name;
    this.padding = padding;
    this.entries = entries;
    this.shapes = new Shape[entries.size()];
    DType[] dtypes = new DType[entries.size()];
    for (int i = 0; i < shapes.length; i++) {
      int row = i;
      SampleCollationException.guard(
          row,
          () -> {
            dtypes[row] = dtype(name, entries.get(row));
            shapes[row] = checkedShape(entries.get(row));
          });
    }
    completeShapes(dtypes);
    this.dtype = dtypes[agree(dtypes)];
  }

  /** Throws if rows differ in dtype or unpadded lengths; returns the number of one of the rows. */
  private int agree(DType[] dtypes) throws SampleCollationException {
    List<Kind> kinds = new ArrayList<>();
    for (int row = 0; row < shapes.length; row++) {
      kinds.add(new Kind(dtypes[row], fixed(shapes[row])));
    }
    int usual = Majority.first(kinds);
    for (int row = 0; row < shapes.length; row++) {
      if (dtypes[row] != dtypes[usual]) {
        throw SampleCollationException.of(
            row,
            "entry '%s' is %s in row %d of the batch and %s in row %d"
                .formatted(name, dtypes[row], row, dtypes[usual], usual));
      }
      if (!kinds.get(row).equals(kinds.get(usual))) {
        throw SampleCollationException.of(
            row,
            "entry '%s' has shape %s in row %d of the batch and %s in row %d; they may differ in %s"
                .formatted(name, shapes[row], row, shapes[usual], usual, axesInWords()));
      }
    }
    return usual;
  }

  /** Returns the lengths of a shape, -1 for axes that are padded. */
  private List<Long> fixed(Shape shape) {
    List<Long> lengths = new ArrayList<>();
    for (int axis = 0; axis < shape.rank(); axis++) {
      lengths.add(padding.axes().contains(axis) ? -1 : shape.length(axis));
    }
    return lengths;
  }

  void writeTo(BatchAssembler batch) throws Exception {
    Shape common = commonShape();
    ByteBuffer target = batch.tensor(name, dtype, common.prepend(entries.size()));
    int rowBytes = (int) Tensor.byteSize(dtype, common);
    long element = PadValue.bits(name, dtype, padding.value());
    for (int row = 0; row < entries.size(); row++) {
      int number = row;
      ByteBuffer rowTarget = slice(target, row * rowBytes, rowBytes);
      SampleCollationException.guard(row, () -> write(number, common, rowTarget, element));
    }
    writeLengths(batch);
  }

  private void write(int row, Shape common, ByteBuffer target, long element) throws Exception {
    if (onlyFirstAxisIn(common, shapes[row])) {
      writeTogether(row, target, element);
    } else {
      PadValue.fill(target, dtype.bytes(), element);
      writeStrewn(row, common, target);
    }
  }

  static DType dtype(String name, Object entry) {
    if (entry instanceof TensorSource source) {
      return source.dtype();
    }
    if (entry instanceof byte[]) {
      return DType.UINT8;
    }
    ArrayKind kind = ArrayKind.of(entry);
    if (kind == null) {
      throw new IllegalArgumentException(
          "entry '%s' is of type %s; tensors and arrays of primitives can be padded or listed"
              .formatted(name, ClassNames.ofType(entry)));
    }
    return kind.dtype;
  }

  private Shape checkedShape(Object entry) {
    Shape shape = shape(name, entry);
    int lastAxis = padding.axes().get(padding.axes().size() - 1);
    if (shape.rank() <= lastAxis) {
      throw new IllegalArgumentException(
          "entry '%s' of shape %s has no axis %d to be padded".formatted(name, shape, lastAxis));
    }
    return shape;
  }

  static Shape shape(String name, Object entry) {
    if (entry instanceof TensorSource source) {
      return source.shape();
    }
    return entry instanceof byte[] bytes
        ? Shape.of(bytes.length)
        : ArrayKind.shapeOf("entry '" + name + "'", entry);
  }

  /** Gives empty arrays, which have no rows to measure, the row lengths of the other arrays. */
  private void completeShapes(DType[] dtypes) {
    List<@Nullable Kind> kinds = new ArrayList<>();
    for (int row = 0; row < shapes.length; row++) {
      boolean full = shapes[row].elements() > 0;
      kinds.add(full ? new Kind(dtypes[row], fixed(shapes[row])) : null);
    }
    int usual = Majority.first(kinds);
    for (int row = 0; row < shapes.length && usual >= 0; row++) {
      long[] lengths = shapes[row].lengths();
      boolean rowless = entries.get(row) instanceof Object[] && shapes[row].elements() == 0;
      if (rowless && lengths.length == shapes[usual].rank()) {
        boolean unknown = false;
        for (int axis = 0; axis < lengths.length; axis++) {
          if (unknown && !padding.axes().contains(axis)) {
            lengths[axis] = shapes[usual].length(axis);
          }
          unknown |= lengths[axis] == 0;
        }
        shapes[row] = Shape.of(lengths);
      }
    }
  }

  private Shape commonShape() throws SampleCollationException {
    long[] common = shapes[0].lengths();
    for (int i = 0; i < padding.axes().size(); i++) {
      int axis = padding.axes().get(i);
      for (Shape shape : shapes) {
        common[axis] = Math.max(common[axis], shape.length(axis));
      }
      common[axis] = paddedLength(i, axis, common[axis]);
    }
    return Shape.of(common);
  }

  private long paddedLength(int i, int axis, long longest) throws SampleCollationException {
    if (padding.lengths().isEmpty()) {
      long multiple = padding.multipleOf();
      return (longest + multiple - 1) / multiple * multiple;
    }
    long fixed = padding.lengths().get(i);
    for (int row = 0; row < shapes.length; row++) {
      if (shapes[row].length(axis) > fixed) {
        throw SampleCollationException.of(
            row,
            "entry '%s' has shape %s in row %d of the batch, longer than %d in axis %d"
                .formatted(name, shapes[row], row, fixed, axis));
      }
    }
    return fixed;
  }

  private String axesInWords() {
    return (padding.axes().size() == 1 ? "axis " : "the axes ")
        + padding.axes().toString().replaceAll("[\\[\\]]", "");
  }

  private static boolean onlyFirstAxisIn(Shape common, Shape shape) {
    for (int axis = 1; axis < common.rank(); axis++) {
      if (common.length(axis) != shape.length(axis)) {
        return false;
      }
    }
    return true;
  }

  private void writeTogether(int row, ByteBuffer target, long element) throws Exception {
    int bytes = (int) Tensor.byteSize(dtype, shapes[row]);
    int gap = target.capacity() - bytes;
    boolean left = padding.side() == Padding.Side.LEFT;
    write(entries.get(row), slice(target, left ? gap : 0, bytes));
    PadValue.fill(slice(target, left ? 0 : bytes, gap), dtype.bytes(), element);
  }

  private void writeStrewn(int row, Shape common, ByteBuffer target) throws Exception {
    ByteBuffer source =
        ByteBuffer.allocate((int) Tensor.byteSize(dtype, shapes[row]))
            .order(ByteOrder.nativeOrder());
    write(entries.get(row), source);
    source.clear();
    scatter(0, source, shapes[row].lengths(), target, 0, common.lengths());
  }

  /** Copies the elements of {@code axis} and of the axes within it, run by run, from the source. */
  private void scatter(
      int axis, ByteBuffer source, long[] shape, ByteBuffer target, int to, long[] common) {
    int stride = dtype.bytes();
    for (int inner = axis + 1; inner < common.length; inner++) {
      stride *= (int) common[inner];
    }
    int start = padding.side() == Padding.Side.LEFT ? (int) (common[axis] - shape[axis]) : 0;
    int place = to + start * stride;
    if (axis == common.length - 1) {
      int run = (int) shape[axis] * stride;
      target.put(place, source, source.position(), run);
      source.position(source.position() + run);
      return;
    }
    for (int i = 0; i < shape[axis]; i++) {
      scatter(axis + 1, source, shape, target, place + i * stride, common);
    }
  }

  static void write(Object entry, ByteBuffer target) throws Exception {
    if (entry instanceof TensorSource source) {
      source.writeTo(target);
    } else if (entry instanceof byte[] bytes) {
      target.put(bytes);
    } else {
      ArrayKind.of(entry).put(entry, target);
    }
  }

  static void putNumber(Object entry, ByteBuffer target) {
    if (entry instanceof Float number) {
      target.putFloat(number);
    } else if (entry instanceof Double number) {
      target.putDouble(number);
    } else if (entry instanceof Boolean flag) {
      target.put((byte) (flag ? 1 : 0));
    } else {
      target.putLong(((Number) entry).longValue());
    }
  }

  static ByteBuffer slice(ByteBuffer buffer, int from, int bytes) {
    return buffer.slice(from, bytes).order(ByteOrder.nativeOrder());
  }

  private void writeLengths(BatchAssembler batch) {
    String lengthsName = padding.lengthsName().isEmpty() ? name + "_length" : padding.lengthsName();
    int axes = padding.axes().size();
    Shape shape = axes == 1 ? Shape.of(shapes.length) : Shape.of(shapes.length, axes);
    ByteBuffer lengths = batch.tensor(lengthsName, DType.INT64, shape);
    Arrays.stream(shapes)
        .forEach(each -> padding.axes().forEach(axis -> lengths.putLong(each.length(axis))));
  }
}
