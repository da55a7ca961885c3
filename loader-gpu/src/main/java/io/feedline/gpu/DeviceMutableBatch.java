package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.DataType;
import io.feedline.batch.BatchTransform;
import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.internal.Counts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A batch on its devices while a {@link BatchTransform} changes it. The devices carry out the
 * changes of rows, in the computing stream.
 *
 * <p>No method waits for a GPU. A number from the host becomes an argument of the kernel that fills
 * an array with it. DJL's arithmetic with Java numbers would copy each number to the GPU, after all
 * queued work. Rows are counted over all devices. If a row is mixed with a row of another device,
 * the other row is copied.
 *
 * @param parts a part for each device that has rows, in order
 */
record DeviceMutableBatch(List<DeviceBatch> parts) implements MutableBatch {

  @Override
  public int size() {
    return parts.stream().mapToInt(DeviceBatch::size).sum();
  }

  @Override
  public int valid() {
    return parts.stream().mapToInt(DeviceBatch::valid).sum();
  }

  @Override
  public long epoch() {
    return parts.get(0).epoch();
  }

  @Override
  public long number() {
    return parts.get(0).number();
  }

  @Override
  public Tensor tensor(String name) {
    throw notHere("tensor(%s)".formatted(name));
  }

  @Override
  public Map<String, Tensor> tensors() {
    throw notHere("tensors()");
  }

  @Override
  public ByteBuffer replace(String name, DType dtype, Shape shape) {
    throw notHere("replace(%s)".formatted(name));
  }

  private UnsupportedOperationException notHere(String call) {
    return new UnsupportedOperationException(
        "%s gives host memory, and the batch is on %s; transformOnDevice takes transforms that change rows by mixRows, passOn, fill and toProbabilities, as MixUp and CutMix do"
            .formatted(call, parts.get(0).manager().getDevice()));
  }

  @Override
  public List<?> values(String name) {
    List<Object> values = new ArrayList<>();
    parts.forEach(part -> values.addAll(part.values(name)));
    return Collections.unmodifiableList(values);
  }

  @Override
  public Shape shape(String name) {
    long[] lengths = parts.get(0).tensor(name).getShape().getShape().clone();
    if (lengths.length > 0 && lengths[0] == parts.get(0).size()) {
      lengths[0] = size();
    }
    return Shape.of(lengths);
  }

  @Override
  public DType dtype(String name) {
    return DataTypes.of(parts.get(0).tensor(name).getDataType(), name);
  }

  @Override
  public void repeatPadding(String name) {
    // Only checks the column: the other methods change padding like the rows that padding repeats.
    rows(name);
  }

  @Override
  public void mixRows(String name, double share) {
    Shape shape = rows(name);
    DType dtype = dtype(name);
    if (dtype != DType.FLOAT32 && dtype != DType.FLOAT16) {
      throw new IllegalArgumentException(
          "'%s' is %s %s; a mixture of rows has fractions and needs FLOAT32 or FLOAT16: give images of bytes to normalizeOnDevice"
              .formatted(name, dtype, shape));
    }
    long[] begin = new long[shape.rank() - 1];
    long[] end = Arrays.copyOfRange(shape.lengths(), 1, shape.rank());
    List<NDArray> befores = before(name, begin, end);
    for (int i = 0; i < befores.size(); i++) {
      DeviceBatch part = parts.get(i);
      try (NDArray before = befores.get(i);
          NDArray own = scalar(part.manager(), share, DataType.FLOAT32);
          NDArray other = scalar(part.manager(), 1.0 - share, DataType.FLOAT32)) {
        // New memory, since the column may be a view of the loader's memory.
        NDArray mixed = part.tensor(name).mul(own);
        mixed.addi(before.muli(other));
        part.replace(name, mixed);
      }
    }
  }

  @Override
  public void passOn(String name, long[] from, long[] to) {
    checkBlock(name, from, to);
    if (isEmpty(from, to)) {
      return;
    }
    List<NDArray> befores = before(name, from, to);
    for (int i = 0; i < befores.size(); i++) {
      try (NDArray before = befores.get(i)) {
        parts.get(i).tensor(name).set(index(0, parts.get(i).size(), from, to), before);
      }
    }
  }

  @Override
  public void fill(String name, int row, long[] from, long[] to, double value) {
    int valid = valid();
    Objects.checkIndex(row, valid);
    Shape shape = checkBlock(name, from, to);
    DType dtype = dtype(name);
    boolean bytes = dtype == DType.UINT8;
    if (!bytes && dtype != DType.FLOAT16 && dtype != DType.FLOAT32 && dtype != DType.FLOAT64) {
      throw new IllegalArgumentException(
          "'%s' is %s %s; UINT8 and fractions can be filled".formatted(name, dtype, shape));
    }
    if (bytes && (value != (int) value || value < 0 || value > 0xFF)) {
      throw new IllegalArgumentException(
          "'%s' is UINT8 %s, which takes whole values of 0 to 255, not %s"
              .formatted(name, shape, value));
    }
    if (isEmpty(from, to)) {
      return;
    }
    int first = 0;
    for (DeviceBatch part : parts) {
      int end = first + part.size();
      // The part's first row that is the given row, or padding that repeats the given row.
      int at = row >= first ? row : row + (first - row + valid - 1) / valid * valid;
      if (at < end) {
        NDArray column = part.tensor(name);
        try (NDArray element = scalar(part.manager(), value, column.getDataType())) {
          for (; at < end; at += valid) {
            column.set(index(at - first, at - first + 1, from, to), element);
          }
        }
      }
      first = end;
    }
  }

  @Override
  public void toProbabilities(String name, int classes) {
    Shape shape = shape(name);
    DType dtype = dtype(name);
    Shape soft = Shape.of(size(), classes);
    if (dtype == DType.FLOAT32 && shape.equals(soft)) {
      return;
    }
    if (dtype != DType.INT64 || !shape.equals(Shape.of(size()))) {
      throw new IllegalArgumentException(
          "'%s' is %s %s; expected INT64 %s, or probabilities: FLOAT32 %s"
              .formatted(name, dtype, shape, Shape.of(size()), soft));
    }
    int first = 0;
    for (DeviceBatch part : parts) {
      NDArray labels = part.tensor(name);
      if (!part.manager().getDevice().isGpu()) {
        // A GPU reports a wrong class by itself; reading the classes here would wait for the GPU.
        checkClasses(name, labels.toLongArray(), first, classes);
      }
      part.replace(name, labels.oneHot(classes, DataType.FLOAT32));
      first += part.size();
    }
  }

  private static void checkClasses(String name, long[] labels, int first, int classes) {
    for (int row = 0; row < labels.length; row++) {
      if (labels[row] < 0 || labels[row] >= classes) {
        throw new IllegalArgumentException(
            "'%s' has %d at row %d; classes are numbered from 0 to %d"
                .formatted(name, labels[row], first + row, classes - 1));
      }
    }
  }

  // ---- rows over several devices ------------------------------------------------------------

  private Shape rows(String name) {
    Shape shape = shape(name);
    if (shape.rank() == 0 || shape.length(0) != size()) {
      throw new IllegalArgumentException(
          "'%s' is %s %s, which has no axis of the batch's %s"
              .formatted(name, dtype(name), shape, Counts.of(size(), "sample")));
    }
    return shape;
  }

  private Shape checkBlock(String name, long[] from, long[] to) {
    Shape shape = rows(name);
    boolean fits = from.length == shape.rank() - 1 && to.length == from.length;
    for (int axis = 0; fits && axis < from.length; axis++) {
      fits = 0 <= from[axis] && from[axis] <= to[axis] && to[axis] <= shape.length(axis + 1);
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "'%s' is %s %s; a row of it has no block from %s to %s"
              .formatted(name, dtype(name), shape, Arrays.toString(from), Arrays.toString(to)));
    }
    return shape;
  }

  private static boolean isEmpty(long[] from, long[] to) {
    for (int axis = 0; axis < from.length; axis++) {
      if (from[axis] == to[axis]) {
        return true;
      }
    }
    return false;
  }

  private static NDArray scalar(NDManager manager, double value, DataType type) {
    return type == DataType.FLOAT64
        ? manager.create(value)
        : manager.full(new ai.djl.ndarray.types.Shape(), (float) value, type);
  }

  private static NDIndex index(long first, long end, long[] from, long[] to) {
    NDIndex index = new NDIndex().addSliceDim(first, end);
    for (int axis = 0; axis < from.length; axis++) {
      index.addSliceDim(from[axis], to[axis]);
    }
    return index;
  }

  /**
   * Returns an array for each part: for each row of the part, the row before it in the batch. The
   * row before the first row of the batch is the last row that is not padding. The arrays are new
   * memory, which the caller closes.
   */
  private List<NDArray> before(String name, long[] from, long[] to) {
    int valid = valid();
    List<NDArray> befores = new ArrayList<>();
    int first = 0;
    for (DeviceBatch part : parts) {
      NDList pieces = new NDList();
      int end = first + part.size();
      for (int row = first; row < end; ) {
        int before = (row % valid + valid - 1) % valid;
        // The number of rows from here on for which the rows before them are consecutive, too.
        int count = row % valid == 0 ? 1 : Math.min(end - row, valid - row % valid);
        addRows(pieces, part.manager(), name, before, before + count, from, to);
        row += count;
      }
      befores.add(NDArrays.concat(pieces));
      pieces.forEach(NDArray::close);
      first = end;
    }
    return befores;
  }

  /** Adds the batch's rows from {@code begin} to before {@code end}, on {@code owner}'s device. */
  private void addRows(
      NDList pieces, NDManager owner, String name, int begin, int end, long[] from, long[] to) {
    int first = 0;
    for (DeviceBatch part : parts) {
      int partBegin = Math.max(begin, first) - first;
      int partEnd = Math.min(end, first + part.size()) - first;
      if (partBegin < partEnd) {
        NDArray rows = part.tensor(name).get(index(partBegin, partEnd, from, to));
        if (part.manager().getDevice().equals(owner.getDevice())) {
          pieces.add(rows);
        } else {
          try (rows) {
            pieces.add(rows.toDevice(owner.getDevice(), true));
          }
        }
      }
      first += part.size();
    }
  }
}
