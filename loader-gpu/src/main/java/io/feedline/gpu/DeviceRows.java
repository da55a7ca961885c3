package io.feedline.gpu;

import io.feedline.batch.Batch;
import io.feedline.batch.Tensor;
import io.feedline.internal.Counts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The rows of a batch that one device gets, from {@code from} to before {@code to}. */
record DeviceRows(int from, int to) {

  /**
   * Divides a batch's rows among devices as evenly as possible, in order. The first devices may get
   * one row more than the others. If there are fewer rows than devices, the last devices get no
   * part.
   */
  static List<DeviceRows> share(int size, int devices) {
    List<DeviceRows> parts = new ArrayList<>();
    int from = 0;
    for (int device = 0; device < Math.min(size, devices); device++) {
      int to = from + size / devices + (device < size % devices ? 1 : 0);
      parts.add(new DeviceRows(from, to));
      from = to;
    }
    return parts;
  }

  int count() {
    return to - from;
  }

  int valid(Batch batch) {
    return Math.max(0, Math.min(to, batch.valid()) - from);
  }

  long[] of(long[] indices) {
    return Arrays.copyOfRange(indices, from, to);
  }

  long[] shape(Tensor tensor, Batch batch, String column) {
    long[] shape = tensor.shape().lengths();
    if (count() < batch.size()) {
      if (isListed(batch, column)) {
        throw new IllegalArgumentException(
            "column '%s' belongs to one sample of a list, so it cannot be shared out among devices: pad the entry, or use one device"
                .formatted(column));
      }
      if (shape.length == 0 || shape[0] != batch.size()) {
        throw new IllegalArgumentException(
            "column '%s' is %s: it has no row for each of the batch's %s, so it cannot be shared out among devices"
                .formatted(column, tensor, Counts.of(batch.size(), "sample")));
      }
      shape[0] = count();
    }
    return shape;
  }

  /** Returns whether a column is the tensor of one sample, since its entry is not stacked. */
  private static boolean isListed(Batch batch, String column) {
    int dot = column.lastIndexOf('.');
    String entry = column.substring(0, dot + 1);
    return dot >= 0
        && column.substring(dot + 1).matches("[0-9]+")
        && IntStream.range(0, batch.size())
            .allMatch(row -> batch.tensors().containsKey(entry + row));
  }

  /** Returns a view of the rows' bytes; call {@link #shape} first, which checks the tensor. */
  ByteBuffer bytes(Tensor tensor, Batch batch) {
    ByteBuffer all = tensor.bytes();
    if (count() == batch.size()) {
      return all;
    }
    int row = all.capacity() / batch.size();
    return all.slice(from * row, count() * row);
  }
}
