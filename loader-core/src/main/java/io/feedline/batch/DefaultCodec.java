package io.feedline.batch;

import io.feedline.internal.ClassNames;
import io.feedline.internal.MapKeys;
import io.feedline.internal.RecordType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The codec of {@link SampleCodec#defaults}: each value is written as a tag and the bytes that the
 * tag requires. Classes, enum constants and dtypes are written as their numbers in a table, since
 * the bytes stay in the process.
 */
final class DefaultCodec<T> implements SampleCodec<T> {

  private static final byte TENSOR = 'T';
  private static final byte BYTE = 'b';
  private static final byte SHORT = 's';
  private static final byte INT = 'i';
  private static final byte LONG = 'l';
  private static final byte FLOAT = 'f';
  private static final byte DOUBLE = 'd';
  private static final byte TRUE = '1';
  private static final byte FALSE = '0';
  private static final byte STRING = 'S';
  private static final byte CONSTANT = 'C';
  private static final byte BYTES = 'B';
  private static final byte ARRAY = 'A';
  private static final byte RECORD = 'R';
  private static final byte ORDERED_MAP = 'M';
  private static final byte MAP = 'm';
  private static final byte LIST = 'L';
  private static final byte OBJECTS = 'O';

  private final Table table = new Table();

  /** A table that gives each of a few objects a number, for example the classes of samples. */
  private static final class Table {
    private final Map<Object, Integer> numbers = new ConcurrentHashMap<>();
    private volatile Object[] objects = new Object[0];

    int numberOf(Object object) {
      Integer known = numbers.get(object);
      return known != null ? known : add(object);
    }

    private synchronized int add(Object object) {
      return numbers.computeIfAbsent(
          object,
          key -> {
            Object[] longer = Arrays.copyOf(objects, objects.length + 1);
            longer[objects.length] = key;
            objects = longer;
            return longer.length - 1;
          });
    }

    Object get(int number) {
      return objects[number];
    }
  }

  @Override
  public long byteSize(T sample) {
    return size("", sample);
  }

  private static long size(String path, Object value) {
    if (value instanceof Tensor tensor) {
      return 1 + 4 + 1 + 8L * tensor.shape().rank() + tensor.byteSize();
    }
    if (value instanceof Boolean) {
      return 1;
    }
    if (value instanceof Number number && SampleNode.NumberKind.of(value) != null) {
      return 1L + numberSize(number);
    }
    if (value instanceof Enum<?>) {
      return 1 + 4;
    }
    if (value instanceof String string) {
      return 1 + stringSize(string);
    }
    if (value instanceof byte[] bytes) {
      return 1L + 4 + bytes.length;
    }
    if (value instanceof Object[] array) {
      long size = 1 + 4 + 4;
      for (int i = 0; i < array.length; i++) {
        size += size(DefaultCollator.join(path, Integer.toString(i)), array[i]);
      }
      return size;
    }
    ArrayKind kind = ArrayKind.of(value);
    if (kind != null) {
      return 1 + 4 + 4 + (long) Array.getLength(value) * kind.dtype.bytes();
    }
    DefaultCollator.Parts parts = value == null ? null : DefaultCollator.Parts.of(path, value);
    if (parts == null) {
      throw new IllegalArgumentException(
          DefaultCollator.named(path)
              + (value == null ? " is null" : " is of type " + ClassNames.ofType(value))
              + "; a cache keeps tensors, numbers, booleans, strings, primitive arrays, enum"
              + " constants, records, maps and lists of these. Map the dataset to one of them (an"
              + " image to its pixels), or give the cache a codec");
    }
    long size = 1 + 4;
    for (int i = 0; i < parts.names().size(); i++) {
      String name = parts.names().get(i);
      size += value instanceof Map ? stringSize(name) : 0;
      size += size(DefaultCollator.join(path, name), parts.entries().get(i));
    }
    return size;
  }

  private static int numberSize(Number number) {
    if (number instanceof Long || number instanceof Double) {
      return 8;
    }
    return number instanceof Byte ? 1 : number instanceof Short ? 2 : 4;
  }

  /**
   * Returns the size of an encoded string: 4 bytes for its length, then two a character, since
   * UTF-8 cannot encode half of a surrogate pair.
   */
  private static long stringSize(String string) {
    return 4 + 2L * string.length();
  }

  @Override
  public void encode(T sample, ByteBuffer target) {
    put(sample, target);
  }

  private void put(Object value, ByteBuffer out) {
    if (value instanceof Tensor tensor) {
      out.put(TENSOR).putInt(table.numberOf(tensor.dtype())).put((byte) tensor.shape().rank());
      for (long length : tensor.shape().lengths()) {
        out.putLong(length);
      }
      out.put(tensor.bytes());
    } else if (value instanceof Boolean flag) {
      out.put(flag ? TRUE : FALSE);
    } else if (value instanceof Byte number) {
      out.put(BYTE).put(number);
    } else if (value instanceof Short number) {
      out.put(SHORT).putShort(number);
    } else if (value instanceof Integer number) {
      out.put(INT).putInt(number);
    } else if (value instanceof Long number) {
      out.put(LONG).putLong(number);
    } else if (value instanceof Float number) {
      out.put(FLOAT).putInt(Float.floatToRawIntBits(number));
    } else if (value instanceof Double number) {
      out.put(DOUBLE).putLong(Double.doubleToRawLongBits(number));
    } else if (value instanceof String string) {
      putString(string, out.put(STRING));
    } else if (value instanceof Enum<?>) {
      out.put(CONSTANT).putInt(table.numberOf(value));
    } else if (value instanceof byte[] bytes) {
      out.put(BYTES).putInt(bytes.length).put(bytes);
    } else if (value instanceof Object[] array) {
      // The decoded array needs the same class: a record's component may be a float[][].
      out.put(OBJECTS).putInt(table.numberOf(array.getClass().componentType()));
      out.putInt(array.length);
      for (Object element : array) {
        put(element, out);
      }
    } else if (ArrayKind.of(value) != null) {
      putArray(value, out);
    } else {
      putParts(value, out);
    }
  }

  private static void putString(String string, ByteBuffer out) {
    out.putInt(string.length());
    out.asCharBuffer().put(string);
    out.position(out.position() + 2 * string.length());
  }

  private void putArray(Object array, ByteBuffer out) {
    ArrayKind kind = ArrayKind.of(array);
    int length = Array.getLength(array);
    out.put(ARRAY).putInt(table.numberOf(kind)).putInt(length);
    kind.put(array, out.slice().order(ByteOrder.nativeOrder()));
    out.position(out.position() + length * kind.dtype.bytes());
  }

  private static boolean isRecord(Object value) {
    return !(value instanceof Map)
        && SampleNode.OfList.asList(value) == null
        && RecordType.isRecord(value);
  }

  private void putParts(Object value, ByteBuffer out) {
    DefaultCollator.Parts parts = DefaultCollator.Parts.of("", value);
    if (isRecord(value)) {
      out.put(RECORD).putInt(table.numberOf(value.getClass()));
    } else {
      byte tag = LIST;
      if (value instanceof Map<?, ?> map) {
        tag = MapKeys.isOrdered(map) ? ORDERED_MAP : MAP;
      }
      out.put(tag).putInt(parts.names().size());
    }
    for (int i = 0; i < parts.names().size(); i++) {
      if (value instanceof Map) {
        putString(parts.names().get(i), out);
      }
      put(parts.entries().get(i), out);
    }
  }

  // A T was encoded, so a T is decoded.
  @Override
  @SuppressWarnings("unchecked")
  public T decode(ByteBuffer source) {
    return (T) get(source);
  }

  private Object get(ByteBuffer in) {
    byte tag = in.get();
    return switch (tag) {
      case TENSOR -> getTensor(in);
      case TRUE -> true;
      case FALSE -> false;
      case BYTE -> in.get();
      case SHORT -> in.getShort();
      case INT -> in.getInt();
      case LONG -> in.getLong();
      case FLOAT -> Float.intBitsToFloat(in.getInt());
      case DOUBLE -> Double.longBitsToDouble(in.getLong());
      case STRING -> getString(in);
      case CONSTANT -> table.get(in.getInt());
      case BYTES -> {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        yield bytes;
      }
      case ARRAY -> getArray(in);
      case RECORD -> {
        RecordType type = RecordType.of((Class<?>) table.get(in.getInt()));
        yield type.create(getAll(new Object[type.names().size()], in));
      }
      case ORDERED_MAP -> getMap(new LinkedHashMap<>(), in);
      case MAP -> getMap(new HashMap<>(), in);
      case LIST -> new ArrayList<>(Arrays.asList(getAll(new Object[in.getInt()], in)));
      case OBJECTS -> {
        Class<?> component = (Class<?>) table.get(in.getInt());
        yield getAll((Object[]) Array.newInstance(component, in.getInt()), in);
      }
      default -> throw new IllegalStateException("no value has the tag " + tag);
    };
  }

  private Tensor getTensor(ByteBuffer in) {
    DType dtype = (DType) table.get(in.getInt());
    long[] lengths = new long[in.get()];
    for (int axis = 0; axis < lengths.length; axis++) {
      lengths[axis] = in.getLong();
    }
    Shape shape = Shape.of(lengths);
    int bytes = (int) Tensor.byteSize(dtype, shape);
    ByteBuffer view = in.slice(in.position(), bytes);
    in.position(in.position() + bytes);
    return Tensor.of(dtype, shape, view);
  }

  private static String getString(ByteBuffer in) {
    char[] characters = new char[in.getInt()];
    in.asCharBuffer().get(characters);
    in.position(in.position() + 2 * characters.length);
    return new String(characters);
  }

  private Object getArray(ByteBuffer in) {
    ArrayKind kind = (ArrayKind) table.get(in.getInt());
    int length = in.getInt();
    Object array = kind.get(in, length);
    in.position(in.position() + length * kind.dtype.bytes());
    return array;
  }

  private Object[] getAll(Object[] values, ByteBuffer in) {
    for (int i = 0; i < values.length; i++) {
      values[i] = get(in);
    }
    return values;
  }

  private Map<String, Object> getMap(Map<String, Object> map, ByteBuffer in) {
    int size = in.getInt();
    for (int i = 0; i < size; i++) {
      map.put(getString(in), get(in));
    }
    return map;
  }
}
