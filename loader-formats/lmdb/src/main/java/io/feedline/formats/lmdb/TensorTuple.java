package io.feedline.formats.lmdb;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The header of a serialised tuple of tensors. An LZ4 frame in Feedline's layout contains this
 * header and then the tensors' elements, one tensor after the other, without padding. All numbers
 * are little-endian:
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
 * float32 7, float64 8, bool 9, uint16 10. Names are in the {@link Metadata}, in the same order.
 *
 * <p>If bit 0 is set, the blocks are independent, and all blocks of a tensor but its last are as
 * large as the frame allows. So each tensor can be found by the sizes of blocks alone, and
 * decompressed directly into its target. If bit 0 is not set, the blocks may have any size, and the
 * frame is decompressed as a whole.
 *
 * @param blocks whether each tensor begins a block
 */
record TensorTuple(boolean blocks, List<DType> types, List<Shape> shapes) {

  static final int MAX_TENSORS = 255;

  private static final int MAGIC = 'F' | 'L' << 8 | 'T' << 16 | '1' << 24;
  private static final int FIXED_BYTES = 8;
  private static final int MAX_HEADER_BYTES = 0xFFFF;
  private static final int MAX_RANK = 32;

  /** The dtypes by their numbers. */
  private static final List<DType> TYPES =
      List.of(
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
          DType.UINT16);

  int headerBytes() {
    return FIXED_BYTES + shapes.stream().mapToInt(each -> 2 + each.rank() * Long.BYTES).sum();
  }

  /** Writes the header at a little-endian buffer's position; refuses too many tensors or axes. */
  void put(ByteBuffer out) {
    int bytes = headerBytes();
    if (types.size() > MAX_TENSORS
        || bytes > MAX_HEADER_BYTES
        || shapes.stream().anyMatch(each -> each.rank() > MAX_RANK)) {
      throw new IllegalArgumentException(
          "%d tensors of shapes %s; a sample has at most %d, each with at most %d axes, and a header of %d bytes"
              .formatted(types.size(), shapes, MAX_TENSORS, MAX_RANK, MAX_HEADER_BYTES));
    }
    out.putInt(MAGIC).put((byte) (blocks ? 1 : 0)).put((byte) types.size()).putShort((short) bytes);
    for (int i = 0; i < types.size(); i++) {
      out.put((byte) TYPES.indexOf(types.get(i))).put((byte) shapes.get(i).rank());
      for (long length : shapes.get(i).lengths()) {
        out.putLong(length);
      }
    }
  }

  /**
   * Parses the header at the content's beginning; {@code length} bytes of content are available.
   */
  static TensorTuple parse(ByteBuffer content, int length) throws IOException {
    ByteBuffer in = content.slice(0, length).order(ByteOrder.LITTLE_ENDIAN);
    try {
      if (in.getInt() != MAGIC) {
        throw new IOException(
            "expected a tuple of tensors (\"FLT1\"), found 0x%08x".formatted(in.getInt(0)));
      }
      int flags = in.get();
      int count = in.get() & 0xFF;
      int bytes = in.getShort() & 0xFFFF;
      List<DType> types = new ArrayList<>(count);
      List<Shape> shapes = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        int number = in.get();
        int rank = in.get();
        if (number < 0 || number >= TYPES.size() || rank < 0 || rank > MAX_RANK) {
          throw new IOException(
              "tensor %d of the tuple has dtype %d and %d axes; there are dtypes 0 to %d, and at most %d axes"
                  .formatted(i, number, rank, TYPES.size() - 1, MAX_RANK));
        }
        long[] lengths = new long[rank];
        for (int axis = 0; axis < rank; axis++) {
          lengths[axis] = in.getLong();
        }
        types.add(TYPES.get(number));
        shapes.add(shape(i, lengths));
      }
      if (in.position() != bytes) {
        throw new IOException(
            "the header of the tuple claims %d bytes, and has %d".formatted(bytes, in.position()));
      }
      return new TensorTuple((flags & 1) != 0, types, shapes);
    } catch (BufferUnderflowException cutOff) {
      throw new IOException(
          "a tuple of tensors is truncated within its header, or has more of it than one block: %d bytes are there"
              .formatted(length),
          cutOff);
    }
  }

  private static Shape shape(int tensor, long[] lengths) throws IOException {
    try {
      return Shape.of(lengths);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IOException("tensor %d of the tuple: %s".formatted(tensor, e.getMessage()), e);
    }
  }

  /** Returns the size of a tensor's elements; fails if they take more than {@code maxBytes}. */
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
