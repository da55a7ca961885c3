package io.feedline;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A batch in its slot while a {@link BatchTransform} works on it. Used by one thread. */
final class BatchDraft implements MutableBatch, AutoCloseable {

  private final Slot slot;
  private final Map<String, Object> pieces;
  private final int size;
  private final int valid;
  private final long epoch;
  private final long number;
  private boolean closed;

  /**
   * A batch as it was collated.
   *
   * @param pieces its entries; not changed
   */
  BatchDraft(Slot slot, Map<String, Object> pieces, int size, int valid, long epoch, long number) {
    this.slot = slot;
    this.pieces = new LinkedHashMap<>(pieces);
    this.size = size;
    this.valid = valid;
    this.epoch = epoch;
    this.number = number;
  }

  /** Returns the entries as the transform left them. */
  Map<String, Object> pieces() {
    return pieces;
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
    return lent(piece(name));
  }

  @Override
  public Map<String, Tensor> tensors() {
    check();
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    pieces.forEach(
        (name, entry) -> {
          if (entry instanceof Slot.Piece piece) {
            tensors.put(name, lent(piece));
          }
        });
    return Collections.unmodifiableMap(tensors);
  }

  @Override
  public List<?> values(String name) {
    check();
    if (pieces.get(name) instanceof List<?> list) {
      return list;
    }
    throw new IllegalArgumentException(
        "the batch has no values '%s'; it has %s".formatted(name, pieces.keySet()));
  }

  @Override
  public ByteBuffer replace(String name, DType dtype, Shape shape) {
    check();
    piece(name);
    Slot.Piece piece = slot.cut(dtype, shape);
    pieces.put(name, piece);
    return piece.bytes().duplicate().order(ByteOrder.nativeOrder());
  }

  private Slot.Piece piece(String name) {
    if (pieces.get(name) instanceof Slot.Piece piece) {
      return piece;
    }
    throw new IllegalArgumentException(
        "the batch has no tensor '%s'; it has %s".formatted(name, pieces.keySet()));
  }

  private Tensor lent(Slot.Piece piece) {
    return new Tensor(piece.dtype(), piece.shape(), piece.bytes(), this::check);
  }

  private void check() {
    if (closed) {
      throw new IllegalStateException(
          "the transform of batch %d of epoch %d has ended".formatted(number, epoch));
    }
  }

  /** Ends the loan. */
  @Override
  public void close() {
    closed = true;
  }

  /** Returns, for example {@code batch 3 of epoch 0, {image=FLOAT32 (128, 3, 224, 224)}}. */
  @Override
  public String toString() {
    return "batch %d of epoch %d, %s".formatted(number, epoch, pieces);
  }
}
