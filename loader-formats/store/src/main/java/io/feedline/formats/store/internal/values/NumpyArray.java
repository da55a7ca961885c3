package io.feedline.formats.store.internal.values;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The types of NumPy's arrays that can be read as a tensor. A type that DJL's engines do not have
 * is widened without loss: uint16 becomes {@link DType#INT32}, uint32 and uint64 become {@link
 * DType#INT64}; a uint64 beyond 2<sup>63</sup> - 1 is refused.
 */
public enum NumpyArray {
  UINT8("uint8", "u1", 1, DType.UINT8),
  INT8("int8", "i1", 1, DType.INT8),
  UINT16("uint16", "u2", 2, DType.INT32),
  INT16("int16", "i2", 2, DType.INT16),
  FLOAT16("float16", "f2", 2, DType.FLOAT16),
  UINT32("uint32", "u4", 4, DType.INT64),
  INT32("int32", "i4", 4, DType.INT32),
  FLOAT32("float32", "f4", 4, DType.FLOAT32),
  /** Unsigned 64-bit integer, read as a signed integer if it fits. */
  UINT64("uint64", "u8", 8, DType.INT64),
  INT64("int64", "i8", 8, DType.INT64),
  FLOAT64("float64", "f8", 8, DType.FLOAT64),
  BOOL("bool", "b1", 1, DType.BOOL);

  private final String typeName;
  private final String code;
  private final int bytes;
  private final DType dtype;

  NumpyArray(String typeName, String code, int bytes, DType dtype) {
    this.typeName = typeName;
    this.code = code;
    this.bytes = bytes;
    this.dtype = dtype;
  }

  public static @Nullable NumpyArray ofName(String name) {
    for (NumpyArray type : values()) {
      if (type.typeName.equals(name)) {
        return type;
      }
    }
    return null;
  }

  public static @Nullable NumpyArray ofCode(String code) {
    for (NumpyArray type : values()) {
      if (type.code.equals(code)) {
        return type;
      }
    }
    return null;
  }

  /** Returns the type that is read as a dtype without being widened; null if no type is. */
  public static @Nullable NumpyArray ofExactly(DType dtype) {
    for (NumpyArray type : values()) {
      if (type.dtype == dtype && type.bytes == dtype.bytes() && type != UINT64) {
        return type;
      }
    }
    return null;
  }

  public String typeName() {
    return typeName;
  }

  public int bytes() {
    return bytes;
  }

  /** Returns a tensor with a copy of the source; {@code columnMajor} is Fortran's order. */
  public Tensor tensor(Shape shape, ByteBuffer source, boolean columnMajor) {
    if (shape.elements() > Integer.MAX_VALUE / bytes
        || shape.elements() * bytes != source.remaining()) {
      throw new IllegalArgumentException(
          "a %s array of shape %s does not have %d bytes"
              .formatted(typeName, shape, source.remaining()));
    }
    Tensor tensor = Tensor.zeros(dtype, shape);
    ByteBuffer target = tensor.bytes();
    int elements = (int) shape.elements();
    if (!columnMajor || shape.rank() < 2) {
      if (bytes == dtype.bytes() && this != UINT64 && inNativeOrder(source)) {
        target.put(source.duplicate());
        return tensor;
      }
      for (int i = 0; i < elements; i++) {
        put(source, i, target);
      }
      return tensor;
    }
    int[] place = new int[shape.rank()];
    for (int i = 0; i < elements; i++) {
      put(source, columnMajorIndex(shape, place), target);
      advance(shape, place);
    }
    return tensor;
  }

  private boolean inNativeOrder(ByteBuffer source) {
    return bytes == 1 || source.order() == ByteOrder.nativeOrder();
  }

  private static int columnMajorIndex(Shape shape, int[] place) {
    int index = 0;
    for (int axis = place.length - 1; axis >= 0; axis--) {
      index = index * (int) shape.length(axis) + place[axis];
    }
    return index;
  }

  private static void advance(Shape shape, int[] place) {
    for (int axis = place.length - 1; axis >= 0; axis--) {
      if (++place[axis] < shape.length(axis)) {
        return;
      }
      place[axis] = 0;
    }
  }

  private void put(ByteBuffer source, int element, ByteBuffer target) {
    int at = source.position() + element * bytes;
    switch (this) {
      case UINT8, INT8, BOOL -> target.put(source.get(at));
      case INT16, FLOAT16 -> target.putShort(source.getShort(at));
      case INT32, FLOAT32 -> target.putInt(source.getInt(at));
      case INT64, FLOAT64 -> target.putLong(source.getLong(at));
      case UINT16 -> target.putInt(Short.toUnsignedInt(source.getShort(at)));
      case UINT32 -> target.putLong(Integer.toUnsignedLong(source.getInt(at)));
      case UINT64 -> target.putLong(signed(source.getLong(at), element));
    }
  }

  private static long signed(long unsigned, int element) {
    if (unsigned < 0) {
      throw new IllegalArgumentException(
          "element %d of a uint64 array is %s, which no signed 64-bit integer can hold"
              .formatted(element, Long.toUnsignedString(unsigned)));
    }
    return unsigned;
  }
}
