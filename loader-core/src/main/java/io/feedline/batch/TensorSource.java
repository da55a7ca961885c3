package io.feedline.batch;

import java.nio.ByteBuffer;

/**
 * A tensor that is still to be written: its dtype and shape are known, and it writes its elements
 * straight into the row of a batch.
 *
 * <p>A {@link Tensor} is a source that copies its elements; an image is a source that decodes,
 * crops, resizes and normalizes while it writes. So there is no array in between, and no collate
 * copy.
 *
 * <p>A source belongs to one sample and is used by one thread at a time.
 */
public interface TensorSource {
  /** Returns the element type, constant over the life of the source. */
  DType dtype();

  /** Returns the shape without a batch axis, constant over the life of the source. */
  Shape shape();

  /**
   * Writes all elements, in row-major order.
   *
   * @param target a direct or heap buffer in the machine's byte order, position 0, limit exactly
   *     {@code shape().elements() * dtype().bytes()}; its former content is arbitrary. The buffer
   *     is the caller's: it must not be kept after the call
   * @throws Exception any failure, for example an image that cannot be decoded; a loader delivers
   *     it in a {@link io.feedline.data.LoaderException}
   */
  void writeTo(ByteBuffer target) throws Exception;
}
