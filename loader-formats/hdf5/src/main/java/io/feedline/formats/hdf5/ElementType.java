package io.feedline.formats.hdf5;

import io.feedline.batch.DType;
import io.feedline.data.FormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The stored form of an array's elements, and their form in a sample. If {@code copied} is true,
 * elements keep their bits and get the machine's byte order. Otherwise they become wider integers:
 * labels become int64, and unsigned integers the next larger signed type.
 */
record ElementType(
    int bytes, ByteOrder order, boolean signed, boolean integer, DType dtype, boolean copied) {

  static ElementType same(DType dtype, ByteOrder order, boolean signed, boolean integer) {
    return new ElementType(dtype.bytes(), order, signed, integer, dtype, true);
  }

  /** Returns a type of integers; unsigned integers of 2 bytes become int32, longer ones int64. */
  static ElementType integer(int bytes, ByteOrder order, boolean signed) {
    DType same =
        switch (bytes) {
          case 1 -> signed ? DType.INT8 : DType.UINT8;
          case 2 -> DType.INT16;
          case 4 -> DType.INT32;
          default -> DType.INT64;
        };
    if (signed || bytes == 1) {
      return same(same, order, signed, true);
    }
    return new ElementType(
        bytes, order, false, true, bytes == 2 ? DType.INT32 : DType.INT64, false);
  }

  ElementType asInt64() {
    return dtype == DType.INT64
        ? this
        : new ElementType(bytes, order, signed, integer, DType.INT64, false);
  }

  void toNative(ByteBuffer elements) {
    if (order == ByteOrder.nativeOrder() || bytes == 1) {
      return;
    }
    for (int i = elements.position(); i < elements.limit(); i += bytes) {
      switch (bytes) {
        case 2 -> elements.putShort(i, Short.reverseBytes(elements.getShort(i)));
        case 4 -> elements.putInt(i, Integer.reverseBytes(elements.getInt(i)));
        default -> elements.putLong(i, Long.reverseBytes(elements.getLong(i)));
      }
    }
  }

  /** Writes integers as the wider dtype; fails if an integer is 2^63 or more. */
  void widen(ByteBuffer stored, ByteBuffer target) throws FormatException {
    while (stored.hasRemaining()) {
      long value =
          switch (bytes) {
            case 1 -> signed ? stored.get() : Byte.toUnsignedLong(stored.get());
            case 2 -> signed ? stored.getShort() : Short.toUnsignedLong(stored.getShort());
            case 4 -> signed ? stored.getInt() : Integer.toUnsignedLong(stored.getInt());
            default -> stored.getLong();
          };
      if (bytes == Long.BYTES && value < 0 && !signed) {
        throw new FormatException(
            "an element is %s, which no signed integer can be"
                .formatted(Long.toUnsignedString(value)));
      }
      if (dtype == DType.INT64) {
        target.putLong(value);
      } else {
        target.putInt((int) value);
      }
    }
  }
}
