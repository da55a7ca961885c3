package io.feedline;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The receiver of what a {@link ListCollator} makes of its samples. Used by one thread, and not
 * kept after the call.
 */
public interface BatchAssembler {
  /**
   * Adds a tensor to the batch.
   *
   * @param name unique in the batch
   * @param dtype the element type
   * @param shape the whole shape, with the batch axis where there is one
   * @return the tensor's memory in the batch, to be filled: a direct buffer in the machine's byte
   *     order, position 0, limit the tensor's size; its content is arbitrary
   * @throws IllegalArgumentException if the name was used before, or the tensor would take 2 GiB or
   *     more
   */
  ByteBuffer tensor(String name, DType dtype, Shape shape);

  /**
   * Adds a list of values to the batch.
   *
   * @param name unique in the batch
   * @param values copied
   * @throws IllegalArgumentException if the name was used before
   */
  void values(String name, List<?> values);
}
