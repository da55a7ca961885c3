package io.feedline.formats.mds;

import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.formats.image.Image;
import io.feedline.formats.store.internal.values.NumpyArray;
import io.feedline.formats.store.internal.values.PythonFloat;
import io.feedline.internal.ClassNames;
import io.feedline.internal.HalfFloat;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of a column's values to bytes and back. Encodings have streaming's names
 * (streaming/base/format/mds/ encodings.py), some followed by parameters: {@code
 * ndarray:DTYPE:2,3}, {@code jpeg:QUALITY}. Numbers are little-endian. Immutable. {@link
 * MdsDataset} lists the types of values; an image is written as its encoded bytes, {@code pil} is
 * only read.
 */
sealed interface MdsEncoding {

  /** Returns the size of a value in bytes; -1 if values differ in size. */
  default int size() {
    return -1;
  }

  /** Decodes a value; throws {@link IllegalArgumentException} if it is not of this encoding. */
  Object decode(ByteBuffer data, String place) throws IOException;

  /** Encodes a value; throws {@link IllegalArgumentException} if the encoding cannot express it. */
  byte[] encode(Object value);

  static MdsEncoding of(String name) {
    int colon = name.indexOf(':');
    String kind = colon < 0 ? name : name.substring(0, colon);
    String parameters = colon < 0 ? "" : name.substring(colon + 1);
    MdsEncoding encoding =
        switch (kind) {
          case "bytes" -> new OfBytes();
          case "str", "json" -> new OfText();
          case "int" -> new OfNumber(NumpyArray.INT64);
          case "str_int", "str_float", "str_decimal" -> new OfDecimal(kind);
          case "ndarray" -> OfArray.parse(parameters);
          case "jpeg", "png" -> new OfImage();
          case "pil" -> new OfRawImage();
          case "pkl" ->
              throw new IllegalArgumentException(
                  "'pkl' is a Python pickle: a program, and what it gives depends on running it. It"
                      + " is not read; columns(...) leaves the column out");
          default -> {
            NumpyArray type = NumpyArray.ofName(kind);
            if (type == null || type == NumpyArray.BOOL) {
              throw new IllegalArgumentException("unknown encoding '" + name + "'");
            }
            yield new OfNumber(type);
          }
        };
    if (!parameters.isEmpty() && !kind.equals("ndarray") && !kind.equals("jpeg")) {
      throw new IllegalArgumentException("encoding '" + name + "' should have no parameters");
    }
    return encoding;
  }

  private static byte[] array(ByteBuffer data) {
    byte[] bytes = new byte[data.remaining()];
    data.duplicate().get(bytes);
    return bytes;
  }

  private static String text(ByteBuffer data) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(data.duplicate()).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("it is not UTF-8", e);
    }
  }

  private static IllegalArgumentException unfit(Object value, String wanted) {
    return new IllegalArgumentException(
        "it should be %s, was %s".formatted(wanted, ClassNames.ofType(value)));
  }

  record OfBytes() implements MdsEncoding {
    @Override
    public byte[] decode(ByteBuffer data, String place) {
      return array(data);
    }

    @Override
    public byte[] encode(Object value) {
      if (value instanceof byte[] bytes) {
        return bytes;
      }
      throw unfit(value, "a byte[]");
    }
  }

  record OfText() implements MdsEncoding {
    @Override
    public String decode(ByteBuffer data, String place) {
      return text(data);
    }

    @Override
    public byte[] encode(Object value) {
      if (value instanceof String string) {
        return string.getBytes(StandardCharsets.UTF_8);
      }
      throw unfit(value, "a String");
    }
  }

  record OfNumber(NumpyArray type) implements MdsEncoding {
    @Override
    public int size() {
      return type.bytes();
    }

    @Override
    public Object decode(ByteBuffer data, String place) {
      ByteBuffer element = type.tensor(Shape.SCALAR, data, false).bytes();
      return switch (type) {
        case FLOAT16 -> HalfFloat.toFloat(element.getShort());
        case FLOAT32 -> element.getFloat();
        case FLOAT64 -> element.getDouble();
        case UINT8 -> (long) (element.get() & 0xFF);
        case INT8, BOOL -> (long) element.get();
        case INT16 -> (long) element.getShort();
        case UINT16, INT32 -> (long) element.getInt();
        case UINT32, UINT64, INT64 -> element.getLong();
      };
    }

    @Override
    public byte[] encode(Object value) {
      ByteBuffer out = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      switch (type) {
        case FLOAT16 -> out.putShort(HalfFloat.ofFloat(real(value).floatValue()));
        case FLOAT32 -> out.putFloat(real(value).floatValue());
        case FLOAT64 -> out.putDouble(real(value).doubleValue());
        // In little-endian order the low bytes are first; only the low bytes are copied.
        default -> out.putLong(integer(value));
      }
      byte[] bytes = new byte[type.bytes()];
      out.rewind().get(bytes);
      return bytes;
    }

    private static Number real(Object value) {
      if (value instanceof Number number) {
        return number;
      }
      throw unfit(value, "a number");
    }

    private long integer(Object value) {
      if (!(value instanceof Long
          || value instanceof Integer
          || value instanceof Short
          || value instanceof Byte)) {
        throw unfit(value, "an integer");
      }
      long number = ((Number) value).longValue();
      int bits = 8 * type.bytes();
      boolean unsigned = type.typeName().startsWith("u");
      long least = unsigned ? 0 : Long.MIN_VALUE >> (64 - bits);
      long most = Long.MAX_VALUE >> (unsigned ? Math.max(0, 63 - bits) : 64 - bits);
      if (number < least || number > most) {
        throw new IllegalArgumentException(
            "%d is beyond %s, which holds %d to %d"
                .formatted(number, type.typeName(), least, most));
      }
      return number;
    }
  }

  record OfDecimal(String kind) implements MdsEncoding {
    @Override
    public Object decode(ByteBuffer data, String place) {
      String digits = text(data);
      try {
        return switch (kind) {
          case "str_int" -> Long.valueOf(digits);
          case "str_float" -> PythonFloat.parse(digits);
          default -> new BigDecimal(digits);
        };
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "it should be a number%s, found '%s'"
                .formatted(
                    kind.equals("str_int") ? " of 64 bits" : "",
                    digits.substring(0, Math.min(40, digits.length()))),
            e);
      }
    }

    @Override
    public byte[] encode(Object value) {
      Class<?> wanted =
          switch (kind) {
            case "str_int" -> Long.class;
            case "str_float" -> Double.class;
            default -> BigDecimal.class;
          };
      if (!wanted.isInstance(value)) {
        throw unfit(value, "a " + wanted.getSimpleName());
      }
      String digits = value.toString();
      return (switch (digits) {
            case "Infinity" -> "inf";
            case "-Infinity" -> "-inf";
            case "NaN" -> "nan";
            default -> digits;
          })
          .getBytes(StandardCharsets.US_ASCII);
    }
  }

  /**
   * An array. It begins with a {@code u8} dtype, unless the column has one dtype. Then, unless the
   * column has one shape, {@code u8 rank << 2 | width of lengths}, and the axes' lengths in 1, 2, 4
   * or 8 bytes each. The elements follow.
   */
  record OfArray(@Nullable NumpyArray type, @Nullable Shape shape) implements MdsEncoding {

    private static final int[] TYPE_CODES = {8, 9, 16, 17, 18, 32, 33, 34, 64, 65, 66};
    private static final List<NumpyArray> TYPES =
        List.of(
            NumpyArray.UINT8,
            NumpyArray.INT8,
            NumpyArray.UINT16,
            NumpyArray.INT16,
            NumpyArray.FLOAT16,
            NumpyArray.UINT32,
            NumpyArray.INT32,
            NumpyArray.FLOAT32,
            NumpyArray.UINT64,
            NumpyArray.INT64,
            NumpyArray.FLOAT64);

    static OfArray parse(String parameters) {
      if (parameters.isEmpty()) {
        return new OfArray(null, null);
      }
      String[] parts = parameters.split(":", -1);
      NumpyArray type = NumpyArray.ofName(parts[0]);
      if (parts.length > 2 || type == null || !TYPES.contains(type)) {
        throw new IllegalArgumentException("'%s' is not an array's dtype".formatted(parameters));
      }
      if (parts.length == 1) {
        return new OfArray(type, null);
      }
      try {
        long[] lengths =
            Arrays.stream(parts[1].split(",", -1)).mapToLong(Integer::parseUnsignedInt).toArray();
        Shape shape = Shape.of(lengths);
        if (shape.elements() < 1 || shape.elements() > Integer.MAX_VALUE / type.bytes()) {
          throw new ArithmeticException(shape.elements() + " elements");
        }
        return new OfArray(type, shape);
      } catch (NumberFormatException | ArithmeticException e) {
        throw new IllegalArgumentException("'%s' is not an array's shape".formatted(parts[1]), e);
      }
    }

    @Override
    public int size() {
      return type == null || shape == null ? -1 : (int) shape.elements() * type.bytes();
    }

    @Override
    public Tensor decode(ByteBuffer data, String place) {
      NumpyArray elements = type;
      if (elements == null) {
        require(data, 1, "its dtype");
        int code = data.get() & 0xFF;
        int known = Arrays.binarySearch(TYPE_CODES, code);
        if (known < 0) {
          throw new IllegalArgumentException("dtype %d is unknown".formatted(code));
        }
        elements = TYPES.get(known);
      }
      return elements.tensor(
          shape == null ? shape(data) : shape, data.slice().order(data.order()), false);
    }

    private static Shape shape(ByteBuffer data) {
      require(data, 1, "its rank");
      int rankAndWidth = data.get() & 0xFF;
      long[] lengths = new long[rankAndWidth >> 2];
      int width = 1 << (rankAndWidth & 3);
      require(data, lengths.length * width, "its shape");
      for (int i = 0; i < lengths.length; i++) {
        lengths[i] =
            switch (width) {
              case 1 -> data.get() & 0xFF;
              case 2 -> Short.toUnsignedInt(data.getShort());
              case 4 -> Integer.toUnsignedLong(data.getInt());
              default -> data.getLong();
            };
      }
      try {
        return Shape.of(lengths);
      } catch (ArithmeticException tooLarge) {
        throw new IllegalArgumentException(
            "the shape %s is too large".formatted(Arrays.toString(lengths)), tooLarge);
      }
    }

    private static void require(ByteBuffer data, int bytes, String what) {
      if (data.remaining() < bytes) {
        throw new IllegalArgumentException("the array ends before " + what);
      }
    }

    @Override
    public byte[] encode(Object value) {
      if (!(value instanceof Tensor tensor)) {
        throw unfit(value, "a Tensor");
      }
      NumpyArray elements = NumpyArray.ofExactly(tensor.dtype());
      if (elements == null || !TYPES.contains(elements)) {
        throw new IllegalArgumentException("MDS has no dtype " + tensor.dtype());
      }
      if ((type != null && type != elements) || (shape != null && !shape.equals(tensor.shape()))) {
        throw new IllegalArgumentException(
            "all arrays should be %s %s, was %s"
                .formatted(type.typeName(), shape == null ? "" : shape, tensor));
      }
      if (tensor.shape().rank() == 0 || tensor.shape().rank() > 63 || tensor.byteSize() == 0) {
        throw new IllegalArgumentException(
            "an array has 1 to 63 axes, none of length 0, was " + tensor);
      }
      long[] lengths = tensor.shape().lengths();
      long longest = Arrays.stream(lengths).max().orElseThrow();
      int width = longest <= 0xFF ? 0 : longest <= 0xFFFF ? 1 : 2;
      byte[] bytes = new byte[2 + (lengths.length << width) + tensor.byteSize()];
      ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      if (type == null) {
        out.put((byte) TYPE_CODES[TYPES.indexOf(elements)]);
      }
      if (shape == null) {
        out.put((byte) ((lengths.length << 2) | width));
        for (long length : lengths) {
          switch (width) {
            case 0 -> out.put((byte) length);
            case 1 -> out.putShort((short) length);
            default -> out.putInt((int) length);
          }
        }
      }
      out.put(littleEndian(tensor));
      return Arrays.copyOf(bytes, out.position());
    }

    private static ByteBuffer littleEndian(Tensor tensor) {
      if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
        return tensor.bytes();
      }
      NumpyArray type = NumpyArray.ofExactly(tensor.dtype());
      // Reading big-endian elements as little-endian reverses the bytes of each element.
      return type.tensor(tensor.shape(), tensor.bytes().order(ByteOrder.LITTLE_ENDIAN), false)
          .bytes();
    }
  }

  record OfImage() implements MdsEncoding {
    @Override
    public Image decode(ByteBuffer data, String place) throws IOException {
      return Image.ofEncoded(array(data), place);
    }

    @Override
    public byte[] encode(Object value) {
      if (value instanceof byte[] bytes) {
        return bytes;
      }
      throw unfit(value, "the byte[] of an encoded image");
    }
  }

  /** Pixels: {@code u32 width | u32 height | u32 length of mode | mode | rows}. */
  record OfRawImage() implements MdsEncoding {
    private static final int HEADER_BYTES = 12;

    @Override
    public Image decode(ByteBuffer data, String place) {
      if (data.remaining() < HEADER_BYTES) {
        throw new IllegalArgumentException("the image ends in its header");
      }
      long width = Integer.toUnsignedLong(data.getInt());
      long height = Integer.toUnsignedLong(data.getInt());
      long modeLength = Integer.toUnsignedLong(data.getInt());
      if (modeLength > data.remaining()) {
        throw new IllegalArgumentException("the image ends in the name of its mode");
      }
      String mode = text(data.slice(data.position(), (int) modeLength));
      data.position(data.position() + (int) modeLength);
      int channels =
          switch (mode) {
            case "RGB" -> 3;
            case "L" -> 1;
            default ->
                throw new IllegalArgumentException(
                    "images of mode RGB and L are read, was '%s'"
                        .formatted(mode.substring(0, Math.min(20, mode.length()))));
          };
      boolean possible = width > 0 && height > 0 && width <= Integer.MAX_VALUE / height / 3;
      if (!possible || width * height * channels != data.remaining()) {
        throw new IllegalArgumentException(
            "an image of %d x %d pixels of mode %s does not have %d bytes"
                .formatted(width, height, mode, data.remaining()));
      }
      byte[] rgb = new byte[(int) (width * height * 3)];
      for (int i = 0; i < rgb.length; i++) {
        rgb[i] = data.get(data.position() + i * channels / 3);
      }
      return Image.ofRgb(rgb, (int) width, (int) height);
    }

    @Override
    public byte[] encode(Object value) {
      throw new IllegalArgumentException("'pil' is read only; write jpeg, png or an ndarray");
    }
  }
}
