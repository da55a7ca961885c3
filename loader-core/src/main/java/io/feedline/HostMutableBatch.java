package io.feedline;

import io.feedline.batch.BatchTransform;
import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/** A batch in its slot while a {@link BatchTransform} works on it. Used by one thread. */
record HostMutableBatch(
    Slot slot,
    Map<String, Object> entries,
    int size,
    int valid,
    long epoch,
    long number,
    AtomicBoolean closed)
    implements MutableBatch, AutoCloseable {

  @Override
  public Tensor tensor(String name) {
    check();
    return view(own(name));
  }

  @Override
  public Map<String, Tensor> tensors() {
    check();
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    entries.forEach(
        (name, entry) -> {
          if (entry instanceof Tensor tensor) {
            tensors.put(name, view(tensor));
          }
        });
    return Collections.unmodifiableMap(tensors);
  }

  @Override
  public List<?> values(String name) {
    check();
    if (entries.get(name) instanceof List<?> list) {
      return list;
    }
    throw new IllegalArgumentException(
        "the batch has no values '%s'; it has %s".formatted(name, entries.keySet()));
  }

  @Override
  public ByteBuffer replace(String name, DType dtype, Shape shape) {
    check();
    own(name);
    Objects.requireNonNull(dtype, "dtype");
    Tensor tensor = slot.cut(dtype, Objects.requireNonNull(shape, "shape"));
    entries.put(name, tensor);
    return tensor.bytes();
  }

  private Tensor own(String name) {
    if (entries.get(name) instanceof Tensor tensor) {
      return tensor;
    }
    throw new IllegalArgumentException(
        "the batch has no tensor '%s'; it has %s".formatted(name, entries.keySet()));
  }

  private Tensor view(Tensor tensor) {
    return Tensor.borrowed(tensor.dtype(), tensor.shape(), tensor.bytes(), this::check);
  }

  private void check() {
    if (closed.get()) {
      throw new IllegalStateException(
          "the transform of batch %d of epoch %d has ended".formatted(number, epoch));
    }
  }

  @Override
  public void close() {
    closed.set(true);
  }

  @Override
  public String toString() {
    return "batch %d of epoch %d, %s".formatted(number, epoch, entries);
  }
}
