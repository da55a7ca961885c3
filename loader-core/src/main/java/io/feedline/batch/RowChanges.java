package io.feedline.batch;

import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.internal.Counts;
import io.feedline.internal.HalfFloat;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Objects;

/** The default implementation of a {@link MutableBatch}'s changes, in host memory. */
final class RowChanges {

  /** The number of floats mixed at a time: the floats of both rows fit into a core's cache. */
  private static final int CHUNK = 2048;

  private RowChanges() {}

  @FunctionalInterface
  private interface Run {
    void at(int offset, int length);
  }

  static void mix(MutableBatch batch, String name, double share) {
    Tensor tensor = rows(batch, name);
    if (tensor.dtype() != DType.FLOAT32) {
      throw new IllegalArgumentException(
          "'%s' is %s; a mixture of rows has fractions and needs FLOAT32".formatted(name, tensor));
    }
    FloatBuffer values = tensor.bytes().asFloatBuffer();
    mix(values, batch.valid(), values.limit() / batch.size(), share);
    batch.repeatPadding(name);
  }

  private static void mix(FloatBuffer values, int rows, int rowLength, double share) {
    float own = (float) share;
    float other = (float) (1.0 - share);
    int chunk = Math.min(CHUNK, rowLength);
    float[] last = new float[chunk];
    float[] here = new float[chunk];
    float[] before = new float[chunk];
    for (int from = 0; from < rowLength; from += chunk) {
      int length = Math.min(chunk, rowLength - from);
      values.get((rows - 1) * rowLength + from, last, 0, length);
      System.arraycopy(last, 0, here, 0, length);
      // From the last row to the first, so that the row before is still unchanged.
      for (int row = rows - 1; row >= 0; row--) {
        if (row > 0) {
          values.get((row - 1) * rowLength + from, before, 0, length);
        } else {
          System.arraycopy(last, 0, before, 0, length);
        }
        for (int i = 0; i < length; i++) {
          here[i] = here[i] * own + before[i] * other;
        }
        values.put(row * rowLength + from, here, 0, length);
        float[] swapped = here;
        here = before;
        before = swapped;
      }
    }
  }

  static void passOn(MutableBatch batch, String name, long[] from, long[] to) {
    Tensor tensor = rows(batch, name);
    ByteBuffer bytes = tensor.bytes();
    int rowBytes = bytes.limit() / batch.size();
    int last = (batch.valid() - 1) * rowBytes;
    forEachRun(
        tensor,
        name,
        from,
        to,
        (offset, length) -> {
          byte[] kept = new byte[length];
          bytes.get(last + offset, kept);
          for (int row = last; row > 0; row -= rowBytes) {
            bytes.put(row + offset, bytes, row - rowBytes + offset, length);
          }
          bytes.put(offset, kept);
        });
    batch.repeatPadding(name);
  }

  static void fill(MutableBatch batch, String name, int row, long[] from, long[] to, double value) {
    Objects.checkIndex(row, batch.valid());
    Tensor tensor = rows(batch, name);
    ByteBuffer bytes = tensor.bytes();
    int rowBytes = bytes.limit() / batch.size();
    byte[] element = element(tensor, name, value);
    forEachRun(
        tensor,
        name,
        from,
        to,
        (offset, length) -> {
          for (int at = row; at < batch.size(); at += batch.valid()) {
            for (int i = 0; i < length; i += element.length) {
              bytes.put(at * rowBytes + offset + i, element);
            }
          }
        });
  }

  private static byte[] element(Tensor tensor, String name, double value) {
    ByteBuffer element = ByteBuffer.allocate(tensor.dtype().bytes()).order(tensor.bytes().order());
    switch (tensor.dtype()) {
      case UINT8 -> element.put((byte) checkByte(tensor, name, value));
      case FLOAT16 -> element.putShort(HalfFloat.ofFloat((float) value));
      case BFLOAT16 -> element.putShort(HalfFloat.toBfloat((float) value));
      case FLOAT32 -> element.putFloat((float) value);
      case FLOAT64 -> element.putDouble(value);
      default ->
          throw new IllegalArgumentException(
              "'%s' is %s; UINT8 and fractions can be filled".formatted(name, tensor));
    }
    return element.array();
  }

  private static double checkByte(Tensor tensor, String name, double value) {
    if (value != (int) value || value < 0 || value > 0xFF) {
      throw new IllegalArgumentException(
          "'%s' is %s, which takes whole values of 0 to 255, not %s"
              .formatted(name, tensor, value));
    }
    return value;
  }

  static void toProbabilities(MutableBatch batch, String name, int classes) {
    Tensor labels = batch.tensor(name);
    Shape soft = Shape.of(batch.size(), classes);
    if (labels.dtype() == DType.FLOAT32 && labels.shape().equals(soft)) {
      return;
    }
    if (labels.dtype() != DType.INT64 || !labels.shape().equals(Shape.of(batch.size()))) {
      throw new IllegalArgumentException(
          "'%s' is %s; expected INT64 %s, or probabilities: FLOAT32 %s"
              .formatted(name, labels, Shape.of(batch.size()), soft));
    }
    FloatBuffer probabilities = batch.replace(name, DType.FLOAT32, soft).asFloatBuffer();
    float[] row = new float[classes];
    for (long known : labels.toLongArray()) {
      if (known < 0 || known >= classes) {
        throw new IllegalArgumentException(
            "'%s' has %d at row %d; classes are numbered from 0 to %d"
                .formatted(name, known, probabilities.position() / classes, classes - 1));
      }
      row[(int) known] = 1;
      probabilities.put(row);
      row[(int) known] = 0;
    }
  }

  static Tensor rows(MutableBatch batch, String name) {
    Tensor tensor = batch.tensor(name);
    if (tensor.shape().rank() == 0 || tensor.shape().length(0) != batch.size()) {
      throw new IllegalArgumentException(
          "'%s' is %s, which has no axis of the batch's %s"
              .formatted(name, tensor, Counts.of(batch.size(), "sample")));
    }
    return tensor;
  }

  private static void forEachRun(Tensor tensor, String name, long[] from, long[] to, Run run) {
    long[] lengths = tensor.shape().lengths();
    boolean fits = from.length == lengths.length - 1 && to.length == from.length;
    for (int axis = 0; fits && axis < from.length; axis++) {
      fits = 0 <= from[axis] && from[axis] <= to[axis] && to[axis] <= lengths[axis + 1];
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "'%s' is %s; a row of it has no block from %s to %s"
              .formatted(name, tensor, Arrays.toString(from), Arrays.toString(to)));
    }
    forEachRun(lengths, 0, from, to, 0, tensor.dtype().bytes(), run);
  }

  /** Calls {@code run} for each contiguous run of a block, from element {@code offset} on. */
  private static void forEachRun(
      long[] lengths, int axis, long[] from, long[] to, long offset, int elementBytes, Run run) {
    long whole = 1;
    boolean together = true;
    for (int inner = axis + 1; inner < from.length; inner++) {
      whole *= lengths[inner + 1];
      together &= from[inner] == 0 && to[inner] == lengths[inner + 1];
    }
    if (axis >= from.length) {
      run.at((int) offset * elementBytes, elementBytes);
    } else if (!together) {
      for (long at = from[axis]; at < to[axis]; at++) {
        forEachRun(lengths, axis + 1, from, to, offset + at * whole, elementBytes, run);
      }
    } else if (from[axis] < to[axis]) {
      int begin = (int) (offset + from[axis] * whole) * elementBytes;
      run.at(begin, (int) ((to[axis] - from[axis]) * whole) * elementBytes);
    }
  }
}
