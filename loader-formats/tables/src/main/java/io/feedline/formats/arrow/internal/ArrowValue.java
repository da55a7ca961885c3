package io.feedline.formats.arrow.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ColumnValues.Kind;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeBinary;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.TimeUnit;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

record ArrowValue(
    Kind kind, Form form, int width, boolean signed, int scale, @Nullable OfDictionary dictionary) {

  enum Form {
    /** No buffers: all values are null. */
    NOTHING,
    /** One bit per value. */
    BITS,
    /** Integers of {@code width} bytes. */
    WHOLE,
    /** IEEE 754 numbers of {@code width} bytes. */
    FLOATING,
    /** Integers of {@code width} bytes, to be divided by 10 to the power of {@code scale}. */
    DECIMAL,
    /** Byte strings of {@code width} bytes. */
    FIXED,
    /** Offsets of byte strings, followed by the bytes. */
    OFFSETS
  }

  /** A dictionary: its id in the file, and the storage of the indices into it. */
  record OfDictionary(long id, ArrowValue index) {}

  /** Returns the storage of a field's values; null if the field's type is not supported. */
  static @Nullable ArrowValue of(Field field) {
    ArrowValue plain = plain(field);
    DictionaryEncoding encoding = field.dictionary();
    if (encoding == null || plain == null) {
      return plain;
    }
    Int type = encoding.indexType();
    ArrowValue index = type == null ? whole(4, true) : whole(type.bitWidth() / 8, type.isSigned());
    return plain.with(new OfDictionary(encoding.id(), index));
  }

  ArrowValue with(@Nullable OfDictionary other) {
    return new ArrowValue(kind, form, width, signed, scale, other);
  }

  /** Returns the integer at a position; an unsigned integer from 2^63 on becomes negative. */
  long whole(ByteBuffer from, int at) throws FormatException {
    return switch (width) {
      case 1 -> signed ? from.get(at) : from.get(at) & 0xff;
      case 2 -> signed ? from.getShort(2 * at) : from.getShort(2 * at) & 0xffff;
      case 4 -> signed ? from.getInt(4 * at) : from.getInt(4 * at) & 0xffffffffL;
      case 8 -> from.getLong(8 * at);
      default -> throw new FormatException("numbers of %d bytes".formatted(width));
    };
  }

  /** Returns the offset at a position; it takes 8 bytes if {@code wide}, otherwise 4. */
  static long offset(ByteBuffer offsets, int at, boolean wide) {
    return wide ? offsets.getLong(8 * at) : offsets.getInt(4 * at);
  }

  private static @Nullable ArrowValue plain(Field field) {
    return switch (field.typeType()) {
      case Type.Null -> value(Kind.WHOLE, Form.NOTHING, 0);
      case Type.Bool -> value(Kind.BOOL, Form.BITS, 0);
      case Type.Int -> {
        Int type = (Int) field.type(new Int());
        yield whole(type.bitWidth() / 8, type.isSigned());
      }
      case Type.FloatingPoint -> {
        short precision = ((FloatingPoint) field.type(new FloatingPoint())).precision();
        yield precision == Precision.DOUBLE
            ? value(Kind.DOUBLE, Form.FLOATING, 8)
            : value(Kind.FLOAT, Form.FLOATING, precision == Precision.HALF ? 2 : 4);
      }
      case Type.Decimal -> {
        Decimal type = (Decimal) field.type(new Decimal());
        yield new ArrowValue(
            Kind.DOUBLE, Form.DECIMAL, type.bitWidth() / 8, true, type.scale(), null);
      }
      case Type.Date -> {
        short unit = ((Date) field.type(new Date())).unit();
        yield whole(unit == DateUnit.DAY ? 4 : 8, true);
      }
      case Type.Time -> whole(((Time) field.type(new Time())).bitWidth() / 8, true);
      case Type.Timestamp, Type.Duration -> whole(8, true);
      case Type.FixedSizeBinary -> {
        int width = ((FixedSizeBinary) field.type(new FixedSizeBinary())).byteWidth();
        if (width < 0) {
          yield null;
        }
        yield value(Kind.BYTES, Form.FIXED, width);
      }
      case Type.Binary -> value(Kind.BYTES, Form.OFFSETS, 4);
      case Type.LargeBinary -> value(Kind.BYTES, Form.OFFSETS, 8);
      case Type.Utf8 -> value(Kind.TEXT, Form.OFFSETS, 4);
      case Type.LargeUtf8 -> value(Kind.TEXT, Form.OFFSETS, 8);
      default -> null;
    };
  }

  /** Returns the unit of a date or a timestamp; null for other fields. */
  static @Nullable Duration timeUnit(Field field) {
    if (field.typeType() == Type.Date) {
      return ((Date) field.type(new Date())).unit() == DateUnit.DAY
          ? Duration.ofDays(1)
          : Duration.ofMillis(1);
    }
    if (field.typeType() != Type.Timestamp) {
      return null;
    }
    return switch (((Timestamp) field.type(new Timestamp())).unit()) {
      case TimeUnit.SECOND -> Duration.ofSeconds(1);
      case TimeUnit.MILLISECOND -> Duration.ofMillis(1);
      case TimeUnit.MICROSECOND -> Duration.ofNanos(1000);
      default -> Duration.ofNanos(1);
    };
  }

  private static ArrowValue value(Kind kind, Form form, int width) {
    return new ArrowValue(kind, form, width, true, 0, null);
  }

  private static ArrowValue whole(int width, boolean signed) {
    Kind kind = width == 8 && !signed ? Kind.UNSIGNED : Kind.WHOLE;
    return new ArrowValue(kind, Form.WHOLE, width, signed, 0, null);
  }

  /** Returns the length of a list of a fixed size; 0 for other fields. */
  static int listSize(Field field) {
    return field.typeType() == Type.FixedSizeList && field.dictionary() == null
        ? ((FixedSizeList) field.type(new FixedSizeList())).listSize()
        : 0;
  }
}
