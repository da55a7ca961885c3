package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.feedline.batch.DType;
import io.feedline.internal.Counts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The computation of {@link Normalization}s on a device, for batches that are on this device
 * already. After the constructor, no method waits for a GPU.
 *
 * <p>A normalization makes three passes: the division by 255, or the product with its reciprocal,
 * which reads bytes and writes floats, and two operations in place. For interleaved pixels, a pass
 * over the bytes comes before these three; for FLOAT16, one more pass comes after them. Besides the
 * result, memory is needed for a copy of interleaved bytes, or for the float32 result if the dtype
 * is FLOAT16. (On the CPU PyTorch converts the bytes into a temporary array before it divides; on a
 * GPU its kernels convert each byte as they read it.)
 *
 * <p>It owns its constants, which stay on the device. Used by one thread at a time.
 */
final class Normalizer implements AutoCloseable {

  private final NDManager manager;
  private final NDArray fullScale;
  private final NDArray reciprocal;
  private final List<Column> columns = new ArrayList<>();

  /**
   * @param parent the manager whose device is used; closing it also closes the normalizer
   */
  Normalizer(NDManager parent, List<Normalization> normalizations) {
    this.manager = parent.newSubManager();
    try {
      fullScale = constant(manager.create(255f));
      reciprocal = constant(manager.create(1 / 255f));
      for (Normalization normalization : normalizations) {
        columns.add(new Column(normalization));
      }
    } catch (Throwable failure) {
      manager.close();
      throw failure;
    }
  }

  /**
   * Checks that each normalized column comes once and is copied to the device.
   *
   * @param taken the names of the columns that are copied; empty: all columns
   */
  static void check(List<Normalization> normalizations, Collection<String> taken) {
    Set<String> seen = new HashSet<>();
    for (Normalization normalization : normalizations) {
      String column = normalization.column();
      if (!seen.add(column)) {
        throw new IllegalArgumentException(
            "normalizeOnDevice is asked twice for column '%s': %s"
                .formatted(column, normalizations));
      }
      if (!taken.isEmpty() && !taken.contains(column)) {
        throw new IllegalArgumentException(
            "normalizeOnDevice is asked for column '%s', which does not go to the device; these do: %s"
                .formatted(column, taken));
      }
    }
  }

  /** Removes a constant from the caller's scope, if any, so that the scope does not close it. */
  private static NDArray constant(NDArray array) {
    NDScope.unregister(array);
    return array;
  }

  /**
   * @param arrived the contiguous arrays as they were copied to the device; they stay open
   * @param owner the manager of the new arrays
   */
  NDList apply(NDList arrived, NDManager owner) {
    NDList result = new NDList(arrived);
    for (Column column : columns) {
      int position = column.position(arrived);
      result.set(position, column.apply(arrived.get(position), owner));
    }
    return result;
  }

  @Override
  public void close() {
    manager.close();
  }

  /** A normalization with its constants, which are broadcast over batch, rows and columns. */
  private final class Column {
    private final Normalization options;
    private final NDArray mean;
    private final NDArray std;

    Column(Normalization options) {
      Shape perChannel = new Shape(options.channels(), 1, 1);
      this.options = options;
      this.mean = constant(manager.create(options.mean(), perChannel));
      this.std = constant(manager.create(options.std(), perChannel));
    }

    int position(NDList arrived) {
      for (int i = 0; i < arrived.size(); i++) {
        if (options.column().equals(arrived.get(i).getName())) {
          return i;
        }
      }
      throw new IllegalArgumentException(
          "normalizeOnDevice is asked for column '%s', which the batch does not have; it has %s"
              .formatted(options.column(), arrived.stream().map(NDArray::getName).toList()));
    }

    NDArray apply(NDArray bytes, NDManager owner) {
      check(bytes);
      NDArray values;
      if (options.layout() == Normalization.Layout.NCHW) {
        values = normalize(bytes, owner);
      } else {
        try (NDArray planes = planes(bytes)) {
          values = normalize(planes, owner);
        }
      }
      values.setName(options.column());
      return values;
    }

    /**
     * Converts interleaved pixels to planes while they are bytes; as floats they would be four
     * times as large. The transposed view keeps the old order in memory, and so would the results
     * of arithmetic; {@code flatten} copies into the new order. DJL's {@code copyTo} copies through
     * the host.
     */
    private static NDArray planes(NDArray pixels) {
      try (NDArray view = pixels.transpose(0, 3, 1, 2);
          NDArray flat = view.flatten()) {
        return flat.reshape(view.getShape());
      }
    }

    private NDArray normalize(NDArray planes, NDManager owner) {
      // Bytes and a float32 array give float32; converting the bytes first would be one more pass.
      NDArray values = options.isReciprocal() ? planes.mul(reciprocal) : planes.div(fullScale);
      values.attach(owner);
      values.subi(mean);
      values.divi(std);
      if (options.dtype() == DType.FLOAT32) {
        return values;
      }
      try (values) {
        return values.toType(DataTypes.of(options.dtype(), options.column()), false);
      }
    }

    private void check(NDArray found) {
      Shape shape = found.getShape();
      if (found.getDataType() != DataType.UINT8) {
        throw refusal(found, "UINT8, the bytes of images that are neither divided nor normalized");
      }
      if (shape.dimension() != 4) {
        throw refusal(found, "four axes, " + options.layout());
      }
      Normalization.Layout layout = options.layout();
      if (shape.get(layout.channelAxis()) != options.channels()) {
        String expected =
            "%s with %s, on axis %d"
                .formatted(layout, Counts.of(options.channels(), "channel"), layout.channelAxis());
        Normalization.Layout other = layout.other();
        boolean fits = shape.get(other.channelAxis()) == options.channels();
        throw refusal(found, fits ? expected + "; it would fit the layout " + other : expected);
      }
    }

    private IllegalArgumentException refusal(NDArray found, String expected) {
      return new IllegalArgumentException(
          "column '%s' is %s %s, but normalizeOnDevice takes %s"
              .formatted(options.column(), found.getDataType().name(), found.getShape(), expected));
    }
  }
}
