package io.feedline.data;

import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.internal.MapKeys;
import io.feedline.internal.Named;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;

final class TensorDataset extends Named implements Dataset<Map<String, Tensor>> {

  private final Map<String, Tensor> columns = new LinkedHashMap<>();
  private final Map<String, Shape> rowShapes = new LinkedHashMap<>();
  private final long size;

  private volatile String fingerprint;

  TensorDataset(Map<String, Tensor> columns) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("tensors must be one or more, were none");
    }
    for (String name : MapKeys.inOrder(columns)) {
      Tensor column = Objects.requireNonNull(columns.get(name), name);
      if (column.shape().rank() == 0) {
        throw new IllegalArgumentException(
            "tensor '%s' is a scalar; the first axis is that of the samples".formatted(name));
      }
      this.columns.put(name, column);
      long[] lengths = column.shape().lengths();
      rowShapes.put(name, Shape.of(Arrays.copyOfRange(lengths, 1, lengths.length)));
    }
    this.size = this.columns.values().iterator().next().shape().length(0);
    if (this.columns.values().stream().anyMatch(column -> column.shape().length(0) != size)) {
      throw new IllegalArgumentException(
          "tensors must have first axes of one length: "
              + MapKeys.listed(this.columns, Tensor::shape));
    }
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public Map<String, Tensor> get(long index) {
    Objects.checkIndex(index, size);
    Map<String, Tensor> sample = new LinkedHashMap<>();
    columns.forEach((name, column) -> sample.put(name, row(column, rowShapes.get(name), index)));
    return sample;
  }

  private static Tensor row(Tensor column, Shape shape, long index) {
    int bytes = (int) Tensor.byteSize(column.dtype(), shape);
    ByteBuffer all = column.bytes();
    return Tensor.of(
        column.dtype(),
        shape,
        all.slice((int) (index * bytes), bytes).order(ByteOrder.nativeOrder()));
  }

  @Override
  public String name() {
    return "Dataset.ofTensors(" + MapKeys.listed(columns, column -> column) + ")";
  }

  @Override
  public String fingerprint() {
    if (fingerprint == null) {
      CRC32C crc = new CRC32C();
      columns.values().forEach(column -> crc.update(column.bytes()));
      fingerprint = name() + ":" + Long.toHexString(crc.getValue());
    }
    return fingerprint;
  }
}
