package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Samples with a column of each type that DJL takes, whose bytes follow from the sample's index and
 * the column, so that whatever arrives can be told from anything else. A column is called as its
 * type is.
 */
record EveryType(int elements) {

  private static final List<DType> TYPES =
      List.of(
          DType.UINT8,
          DType.INT8,
          DType.INT32,
          DType.INT64,
          DType.FLOAT16,
          DType.FLOAT32,
          DType.FLOAT64,
          DType.BOOL);

  Dataset<Map<String, Tensor>> samples(int size) {
    return Dataset.of(size, this::sample);
  }

  private Map<String, Tensor> sample(long index) {
    Map<String, Tensor> sample = new LinkedHashMap<>();
    for (DType type : TYPES) {
      sample.put(type.name(), Tensor.of(type, Shape.of(elements), bytes(index, type)));
    }
    return sample;
  }

  private ByteBuffer bytes(long index, DType type) {
    byte[] bytes = new byte[elements * type.bytes()];
    new SplittableRandom(31 * index + type.name().hashCode()).nextBytes(bytes);
    if (type == DType.BOOL) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] &= 1;
      }
    }
    return ByteBuffer.wrap(bytes);
  }

  long bytesPerSample() {
    return TYPES.stream().mapToLong(type -> (long) elements * type.bytes()).sum();
  }

  void check(DeviceBatch batch) {
    for (DType type : TYPES) {
      check(batch.tensor(type.name()), type, batch.indices());
    }
  }

  void check(NDArray array, DType type, long[] indices) {
    ByteBuffer all = array.toByteBuffer();
    int row = elements * type.bytes();
    if (all.remaining() != indices.length * row) {
      throw new AssertionError(
          "%s has %d bytes instead of %d".formatted(array.getName(), all.remaining(), row));
    }
    for (int i = 0; i < indices.length; i++) {
      ByteBuffer expected = bytes(indices[i], type);
      int wrong = expected.mismatch(all.slice(all.position() + i * row, row));
      if (wrong >= 0) {
        throw new AssertionError(
            "column %s: row %d should be sample %d, but differs from byte %d of %d on"
                .formatted(type, i, indices[i], wrong, row));
      }
    }
  }
}
