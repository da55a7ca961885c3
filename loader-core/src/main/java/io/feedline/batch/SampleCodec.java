package io.feedline.batch;

import java.nio.ByteBuffer;

/**
 * The form in which a {@link io.feedline.data.CachedDataset} keeps samples as bytes.
 *
 * <p>A decoded sample must be equivalent to the encoded sample: transforms and collation give the
 * same results for both. Thread-safe. The bytes never leave the process, so they need no lasting
 * format.
 *
 * <pre>{@code
 * SampleCodec<Point> points = new SampleCodec<>() {
 *   public long byteSize(Point point) {
 *     return 16;
 *   }
 *   public void encode(Point point, ByteBuffer target) {
 *     target.putDouble(point.x()).putDouble(point.y());
 *   }
 *   public Point decode(ByteBuffer source) {
 *     return new Point(source.getDouble(), source.getDouble());
 *   }
 * };
 * }</pre>
 */
public interface SampleCodec<T> {

  /**
   * Returns the number of bytes that {@link #encode} will write.
   *
   * @throws IllegalArgumentException if the codec cannot encode the sample; the message names the
   *     part
   */
  long byteSize(T sample);

  /**
   * Writes a sample.
   *
   * @param target a direct buffer in the machine's byte order, position 0, limit {@link #byteSize};
   *     to be filled completely, and not kept
   * @throws Exception if the sample cannot be written
   */
  void encode(T sample, ByteBuffer target) throws Exception;

  /**
   * Reads a sample.
   *
   * @param source the encoded bytes: a read-only direct buffer in the machine's byte order,
   *     position 0. A sample may keep views of it without a time limit
   */
  T decode(ByteBuffer source);

  /**
   * Returns the codec for the samples of {@linkplain Collator#defaults default collation}: {@link
   * Tensor}s, numbers, booleans, strings, arrays of primitives, enum constants, and records, maps
   * with string keys, lists and object arrays of these, nested at will. It refuses tensors that are
   * not computed yet: map an image that has not been decoded to a tensor first.
   *
   * <p>Decoded tensors are read-only views of the cache's memory: writing to their bytes throws
   * {@link java.nio.ReadOnlyBufferException}. Everything else is a copy. Maps keep their order if
   * they have one, and are decoded as {@link java.util.LinkedHashMap} or {@link java.util.HashMap};
   * lists as {@link java.util.ArrayList}. Arrays keep their class.
   */
  static <T> SampleCodec<T> defaults() {
    return new DefaultCodec<>();
  }
}
