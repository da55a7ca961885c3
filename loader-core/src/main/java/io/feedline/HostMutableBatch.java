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

/** A batch in its slot while a {@link BatchTransform} works on it. Used by one thread. */
final class HostMutableBatch implements MutableBatch, AutoCloseable {

  private final Slot slot;
  private final Map<String, Object> entries;
  private final int size;
  private final int valid;
  private final long epoch;
  private final long number;
  private boolean closed;

  HostMutableBatch(
      Slot slot, Map<String, Object> entries, int size, int valid, long epoch, long number) {
    this.slot = slot;
    this.entries = new LinkedHashMap<>(entries);
    this.size = size;
    this.valid = valid;
    this.epoch = epoch;
    this.number = number;
  }

  Map<String, Object> entries() {
    return entries;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int valid() {
    return valid;
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public long number() {
    return number;
  }

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
    return Tensor.lent(tensor.dtype(), tensor.shape(), tensor.bytes(), this::check);
  }

  private void check() {
    if (closed) {
      throw new IllegalStateException(
          "the transform of batch %d of epoch %d has ended".formatted(number, epoch));
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Returns, for example {@code batch 3 of epoch 0, {image=FLOAT32 (128, 3, 224, 224)}}. */
  @Override
  public String toString() {
    return "batch %d of epoch %d, %s".formatted(number, epoch, entries);
  }
}
