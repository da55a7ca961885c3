package io.feedline.formats.lmdb;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header of a serialised tuple of tensors: what an LZ4 frame in our layout holds is this header
 * and then the tensors' elements, one tensor behind the other, without padding. All little-endian:
 *
 * <pre>
 *    0  "FLT1"
 *    4  u8   flags; bit 0: the header, and each tensor, begins a block of the LZ4 frame
 *    5  u8   number of tensors
 *    6  u16  bytes of this header
 *    8  for each tensor: u8 dtype, u8 number of axes, then an i64 for the length of each
 * </pre>
 *
 * <p>The dtypes are numbered uint8 0, int8 1, int16 2, int32 3, int64 4, float16 5, bfloat16 6,
 * float32 7, float64 8, bool 9. Names are in the {@link Metadata}, in the same order.
 *
 * <p>With bit 0 set a tensor's blocks are all as large as the frame allows, but for its last, and
 * independent. So each tensor can be found by the sizes of blocks alone, and decompressed straight
 * to where it is wanted. Without it the frame may be cut in any way, and is decompressed as a
 * whole.
 *
 * @param blocks whether each tensor begins a block
 * @param types the tensors' dtypes
 * @param shapes the tensors' shapes
 */
record TensorTuple(boolean blocks, List<DType> types, List<Shape> shapes) {

  static final int MAX_TENSORS = 255;

  /** The header's length has 16 bits. */
  static final int MAX_HEADER_BYTES = 0xFFFF;

  private static final int MAGIC = 'F' | 'L' << 8 | 'T' << 16 | '1' << 24;
  private static final int FIXED_BYTES = 8;
  private static final int MAX_RANK = 32;

  /** By their numbers. */
  private static final DType[] TYPES = {
    DType.UINT8,
    DType.INT8,
    DType.INT16,
    DType.INT32,
    DType.INT64,
    DType.FLOAT16,
    DType.BFLOAT16,
    DType.FLOAT32,
    DType.FLOAT64,
    DType.BOOL,
    DType.UINT16
  };

  /** The bytes of the header. */
  int headerBytes() {
    int bytes = FIXED_BYTES;
    for (Shape shape : shapes) {
      bytes += 2 + shape.rank() * Long.BYTES;
    }
    return bytes;
  }

  /**
   * Writes the header.
   *
   * @param out little-endian, with room for it; its position moves on
   * @throws IllegalArgumentException if there are too many tensors or axes
   */
  void put(ByteBuffer out) {
    int bytes = headerBytes();
    if (types.size() > MAX_TENSORS || bytes > MAX_HEADER_BYTES) {
      throw new IllegalArgumentException(
          "%d tensors with a header of %d bytes; a sample has at most %d, with one of 65535"
              .formatted(types.size(), bytes, MAX_TENSORS));
    }
    out.putInt(MAGIC).put((byte) (blocks ? 1 : 0)).put((byte) types.size()).putShort((short) bytes);
    for (int i = 0; i < types.size(); i++) {
      out.put((byte) numberOf(types.get(i))).put((byte) shapes.get(i).rank());
      if (shapes.get(i).rank() > MAX_RANK) {
        throw new IllegalArgumentException(
            "shape %s; a tensor has at most %d axes".formatted(shapes.get(i), MAX_RANK));
      }
      for (long length : shapes.get(i).lengths()) {
        out.putLong(length);
      }
    }
  }

  private static int numberOf(DType dtype) {
    for (int i = 0; i < TYPES.length; i++) {
      if (TYPES[i] == dtype) {
        return i;
      }
    }
    throw new IllegalArgumentException("no number for " + dtype);
  }

  /**
   * Reads a header.
   *
   * @param content what begins with one
   * @param length how many bytes of the content are there
   * @return the header, or null if it reaches beyond them
   * @throws IOException if it is not such a header
   */
  static @Nullable TensorTuple parse(ByteBuffer content, int length) throws IOException {
    ByteBuffer in = content.duplicate().order(ByteOrder.LITTLE_ENDIAN).clear();
    if (length < FIXED_BYTES) {
      return null;
    }
    if (in.getInt() != MAGIC) {
      throw new IOException(
          "expected a tuple of tensors (\"FLT1\"), found 0x%08x".formatted(in.getInt(0)));
    }
    int flags = in.get();
    int count = in.get() & 0xFF;
    int bytes = in.getShort() & 0xFFFF;
    if (bytes > length) {
      return null;
    }
    List<DType> types = new ArrayList<>(count);
    List<Shape> shapes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      requireWithin(bytes, in.position() + 2);
      int number = in.get();
      int rank = in.get();
      if (number < 0 || number >= TYPES.length || rank < 0 || rank > MAX_RANK) {
        throw new IOException(
            "tensor %d of the tuple has dtype %d and %d axes; there are dtypes 0 to %d, and at most %d axes"
                .formatted(i, number, rank, TYPES.length - 1, MAX_RANK));
      }
      requireWithin(bytes, in.position() + rank * Long.BYTES);
      long[] lengths = new long[rank];
      for (int axis = 0; axis < rank; axis++) {
        lengths[axis] = in.getLong();
      }
      types.add(TYPES[number]);
      shapes.add(shape(i, lengths));
    }
    if (in.position() != bytes) {
      throw new IOException(
          "the header of the tuple claims %d bytes, and has %d".formatted(bytes, in.position()));
    }
    return new TensorTuple((flags & 1) != 0, types, shapes);
  }

  private static Shape shape(int tensor, long[] lengths) throws IOException {
    try {
      return Shape.of(lengths);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IOException("tensor %d of the tuple: %s".formatted(tensor, e.getMessage()), e);
    }
  }

  private static void requireWithin(int bytes, int end) throws IOException {
    if (end > bytes) {
      throw new IOException(
          "the header of the tuple claims %d bytes, and needs %d".formatted(bytes, end));
    }
  }

  /**
   * The bytes of a tensor's elements.
   *
   * @throws IOException if they are more than allowed
   */
  int bytes(int tensor, long maxBytes) throws IOException {
    long elements = shapes.get(tensor).elements();
    int each = types.get(tensor).bytes();
    if (elements > maxBytes / each) {
      throw new IOException(
          "tensor %d of the tuple, %s %s, takes more than the limit of %d bytes"
              .formatted(tensor, types.get(tensor), shapes.get(tensor), maxBytes));
    }
    return (int) (elements * each);
  }
}
