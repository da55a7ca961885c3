package io.feedline.formats.lmdb;

import io.feedline.DType;
import io.feedline.Shape;
import io.feedline.Tensor;
import io.feedline.TensorSource;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A tensor in a database, whose dtype and shape are known and whose elements have not been read:
 * they are decompressed when it writes itself, straight into the row of a batch. {@link #read}
 * gives the elements to code that wants to see them.
 *
 * <p>Immutable and thread-safe. It can be written as long as its dataset is open.
 */
public final class StoredTensor implements TensorSource {
  private final DType dtype;
  private final Shape shape;
  private final Elements elements;

  /** Where the elements come from. */
  @FunctionalInterface
  interface Elements {
    /** Fills a buffer of exactly the tensor's bytes, from position 0. */
    void writeTo(ByteBuffer target) throws IOException;
  }

  StoredTensor(DType dtype, Shape shape, Elements elements) {
    this.dtype = dtype;
    this.shape = shape;
    this.elements = elements;
  }

  @Override
  public DType dtype() {
    return dtype;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException if the elements cannot be read
   * @throws IllegalStateException if the dataset has been closed
   */
  @Override
  public void writeTo(ByteBuffer target) throws IOException {
    elements.writeTo(target);
  }

  /**
   * Returns the tensor with its elements, in heap memory of its own.
   *
   * @throws IOException if the elements cannot be read
   * @throws IllegalStateException if the dataset has been closed
   */
  public Tensor read() throws IOException {
    Tensor tensor = Tensor.zeros(dtype, shape);
    writeTo(tensor.bytes());
    return tensor;
  }

  /** Returns, for example {@code UINT8 (224, 224, 3)}; the elements are not shown. */
  @Override
  public String toString() {
    return dtype + " " + shape;
  }
}
