package io.feedline.batch;

import io.feedline.internal.Counts;
import io.feedline.internal.HalfFloat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * An n-dimensional array in host memory: dtype, shape and the bytes themselves, row-major and in
 * the machine's byte order.
 *
 * <pre>{@code
 * Tensor x = Tensor.of(new float[] {0, 0, 0, 1, 1, 0, 1, 1}, 4, 2);
 * Tensor y = Tensor.of(new long[] {0, 1, 1, 0});
 * Dataset<Map<String, Tensor>> rows = Dataset.ofTensors(Map.of("x", x, "y", y));
 * }</pre>
 *
 * <p>A tensor of a {@link Batch} is a view of the batch's memory, not a copy: it lives until the
 * batch is closed, and each access to its elements throws {@link IllegalStateException} afterwards.
 * Use {@link #copy} to keep a tensor beyond its batch. A tensor made by one of the factories here
 * owns its memory.
 *
 * <p>Dtype and shape never change. The elements may be read by several threads at once, as long as
 * none writes them.
 */
public final class Tensor implements TensorSource {

  private final DType dtype;
  private final Shape shape;
  private final ByteBuffer memory;

  /** The check that throws once the owner has taken the memory back. */
  private final Runnable check;

  private Tensor(DType dtype, Shape shape, ByteBuffer memory, Runnable check) {
    this.dtype = Objects.requireNonNull(dtype, "dtype");
    this.shape = Objects.requireNonNull(shape, "shape");
    long expected = byteSize(dtype, shape);
    if (memory.remaining() != expected) {
      throw new IllegalArgumentException(
          "a %s tensor of shape %s takes %s, the buffer has %d"
              .formatted(dtype, shape, Counts.of(expected, "byte"), memory.remaining()));
    }
    this.memory = memory.slice().order(ByteOrder.nativeOrder());
    this.check = Objects.requireNonNull(check, "check");
  }

  /**
   * Returns a tensor over the caller's memory, without a copy.
   *
   * @param memory a direct or heap buffer with exactly the tensor's bytes from its position to its
   *     limit, in the machine's byte order; the buffer's own order, position and limit are not
   *     changed
   * @throws IllegalArgumentException if the buffer has another number of bytes
   */
  public static Tensor of(DType dtype, Shape shape, ByteBuffer memory) {
    return new Tensor(dtype, shape, memory, () -> {});
  }

  /**
   * Returns a tensor over memory that its owner takes back later, without a copy. Unlike a tensor
   * of {@link #of(DType, Shape, ByteBuffer)}, it checks at each use that the memory is still valid.
   *
   * @param check called before each access to the elements; throws {@link IllegalStateException}
   *     when the memory has been taken back. Thread-safe
   * @throws IllegalArgumentException if the buffer has another number of bytes
   */
  public static Tensor borrowed(DType dtype, Shape shape, ByteBuffer memory, Runnable check) {
    return new Tensor(dtype, shape, memory, check);
  }

  /**
   * Returns a new tensor of zeros, in heap memory.
   *
   * @throws IllegalArgumentException if the tensor takes 2 GiB or more
   */
  public static Tensor zeros(DType dtype, Shape shape) {
    long bytes = byteSize(dtype, shape);
    if (bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a %s tensor of shape %s takes %d bytes; one tensor has at most %d"
              .formatted(dtype, shape, bytes, Integer.MAX_VALUE));
    }
    return of(dtype, shape, ByteBuffer.allocate((int) bytes));
  }

  /**
   * Returns a new {@link DType#FLOAT32} tensor with a copy of these elements.
   *
   * @param shape the lengths of the axes; without any, one axis has all elements
   * @throws IllegalArgumentException if the shape has another number of elements
   */
  public static Tensor of(float[] elements, long... shape) {
    Tensor tensor = zeros(DType.FLOAT32, shapeOr(elements.length, shape));
    tensor.memory.duplicate().order(ByteOrder.nativeOrder()).asFloatBuffer().put(elements);
    return tensor;
  }

  /** Returns a new {@link DType#INT64} tensor, as {@link #of(float[], long...)} does. */
  public static Tensor of(long[] elements, long... shape) {
    Tensor tensor = zeros(DType.INT64, shapeOr(elements.length, shape));
    tensor.memory.duplicate().order(ByteOrder.nativeOrder()).asLongBuffer().put(elements);
    return tensor;
  }

  /** Returns a new {@link DType#UINT8} tensor, as {@link #of(float[], long...)} does. */
  public static Tensor of(byte[] elements, long... shape) {
    Tensor tensor = zeros(DType.UINT8, shapeOr(elements.length, shape));
    tensor.memory.duplicate().put(elements);
    return tensor;
  }

  private static Shape shapeOr(long elements, long... shape) {
    Shape result = shape.length == 0 ? Shape.of(elements) : Shape.of(shape);
    if (result.elements() != elements) {
      throw new IllegalArgumentException(
          "shape %s has %s, found %d"
              .formatted(result, Counts.of(result.elements(), "element"), elements));
    }
    return result;
  }

  /** Returns the bytes that a tensor takes; throws {@link ArithmeticException} from 2^63 on. */
  public static long byteSize(DType dtype, Shape shape) {
    return Math.multiplyExact(shape.elements(), dtype.bytes());
  }

  @Override
  public DType dtype() {
    return dtype;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  /** Returns the tensor's size in bytes. */
  public int byteSize() {
    return memory.capacity();
  }

  /**
   * Returns the tensor's memory: a new view, position 0, limit {@link #byteSize}, in the machine's
   * byte order. For a batch from a loader the view is direct.
   */
  public ByteBuffer bytes() {
    check.run();
    return memory.slice().order(ByteOrder.nativeOrder());
  }

  /**
   * Returns an element.
   *
   * @param index the element's position on each axis, from 0
   * @return a {@link Long} for integers and booleans, a {@link Double} for {@link DType#FLOAT64},
   *     and a {@link Float} for the other floating-point dtypes
   * @throws IllegalArgumentException if the number of positions differs from the number of axes
   * @throws IndexOutOfBoundsException if a position is beyond its axis
   */
  public Number get(long... index) {
    if (index.length != shape.rank()) {
      throw new IllegalArgumentException(
          "an element of shape %s has %s, found %d"
              .formatted(shape, Counts.of(shape.rank(), "position"), index.length));
    }
    long element = 0;
    for (int axis = 0; axis < index.length; axis++) {
      long length = shape.length(axis);
      element = element * length + Objects.checkIndex(index[axis], length);
    }
    return element(bytes(), (int) element);
  }

  Number element(ByteBuffer bytes, int element) {
    int at = element * dtype.bytes();
    return switch (dtype) {
      case UINT8 -> (long) (bytes.get(at) & 0xFF);
      case INT8, BOOL -> (long) bytes.get(at);
      case UINT16 -> (long) (bytes.getShort(at) & 0xFFFF);
      case INT16 -> (long) bytes.getShort(at);
      case INT32 -> (long) bytes.getInt(at);
      case INT64 -> bytes.getLong(at);
      case FLOAT16 -> HalfFloat.toFloat(bytes.getShort(at));
      case BFLOAT16 -> HalfFloat.ofBfloat(bytes.getShort(at));
      case FLOAT32 -> bytes.getFloat(at);
      case FLOAT64 -> bytes.getDouble(at);
    };
  }

  /**
   * Returns the elements at one position of the first axis, without that axis: a view, not a copy,
   * as {@code tensor[index]} in PyTorch.
   *
   * @throws IllegalArgumentException if the tensor is a scalar
   * @throws IndexOutOfBoundsException if the position is beyond the first axis
   */
  public Tensor select(long index) {
    Objects.checkIndex(index, firstAxis());
    long[] lengths = shape.lengths();
    return part(index, Shape.of(Arrays.copyOfRange(lengths, 1, lengths.length)));
  }

  /**
   * Returns a range of the first axis: a view, not a copy.
   *
   * @param from the first position
   * @param to the position after the last one
   * @throws IllegalArgumentException if the tensor is a scalar
   * @throws IndexOutOfBoundsException if the range is not within the first axis
   */
  public Tensor slice(long from, long to) {
    Objects.checkFromToIndex(from, to, firstAxis());
    long[] lengths = shape.lengths();
    lengths[0] = to - from;
    return part(from, Shape.of(lengths));
  }

  private long firstAxis() {
    if (shape.rank() == 0) {
      throw new IllegalArgumentException("a scalar has no first axis");
    }
    return shape.length(0);
  }

  /** Returns a view of shape {@code part} that begins at a position of the first axis. */
  private Tensor part(long from, Shape part) {
    long step = shape.length(0) == 0 ? 0 : byteSize() / shape.length(0);
    ByteBuffer bytes = bytes().slice((int) (from * step), (int) byteSize(dtype, part));
    return new Tensor(dtype, part, bytes, check);
  }

  /**
   * Returns the elements in a new array.
   *
   * @throws IllegalStateException if the dtype is not {@link DType#FLOAT32}
   */
  public float[] toFloatArray() {
    require(DType.FLOAT32);
    float[] elements = new float[(int) shape.elements()];
    bytes().asFloatBuffer().get(elements);
    return elements;
  }

  /** Returns the elements of an {@link DType#INT64} tensor, as {@link #toFloatArray} does. */
  public long[] toLongArray() {
    require(DType.INT64);
    long[] elements = new long[(int) shape.elements()];
    bytes().asLongBuffer().get(elements);
    return elements;
  }

  /** Returns the elements of an {@link DType#INT32} tensor, as {@link #toFloatArray} does. */
  public int[] toIntArray() {
    require(DType.INT32);
    int[] elements = new int[(int) shape.elements()];
    bytes().asIntBuffer().get(elements);
    return elements;
  }

  /** Returns the bytes in a new array, whatever the dtype. */
  public byte[] toByteArray() {
    byte[] elements = new byte[byteSize()];
    bytes().get(elements);
    return elements;
  }

  private void require(DType expected) {
    if (dtype != expected) {
      String way =
          switch (dtype) {
            case FLOAT32 -> "toFloatArray()";
            case INT64 -> "toLongArray()";
            case INT32 -> "toIntArray()";
            default -> "bytes()";
          };
      throw new IllegalStateException(
          "the tensor is %s, not %s; %s gives its elements".formatted(dtype, expected, way));
    }
  }

  /** Returns a copy of this tensor, in new heap memory. */
  public Tensor copy() {
    Tensor copy = zeros(dtype, shape);
    copy.memory.duplicate().put(bytes());
    return copy;
  }

  @Override
  public void writeTo(ByteBuffer target) {
    target.put(bytes());
  }

  /**
   * Returns the dtype, the shape and the elements as text, to look at: in nested brackets, a line
   * for each row. With more than {@value TensorText#MOST_ELEMENTS} elements it shows the first and
   * last three of each axis.
   *
   * <pre>
   * FLOAT32 (2, 3)
   * [[ 0.5000, -1.0000,  0.0000],
   *  [ 0.2500,  2.0000,  1.5000]]</pre>
   */
  public String toText() {
    return TensorText.of(this);
  }

  /**
   * Returns the dtype and the shape, for example {@code FLOAT32 (128, 3, 224, 224)}. {@link
   * #toText} shows the elements.
   */
  @Override
  public String toString() {
    return dtype + " " + shape;
  }
}
