package io.feedline.formats.lmdb;

import io.feedline.formats.store.internal.values.PythonFloat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reader of pickles of protocols 0 to 5 that are plain data; all other pickles are refused. A
 * pickle is a program for a stack machine that may import and call anything. This machine has only
 * the opcodes for data, and knows only five names, which make data. Every other opcode or name is
 * an error that contains the opcode or name and its place.
 *
 * <p>Python's types become types of Java: bytes, bytearray and Python 2's str become byte[], str
 * becomes String, int Long, float Double, bool Boolean, tuple and list List, dict Map, and None
 * {@link None}. A scalar of NumPy becomes Long, Double or Boolean. Integers beyond 64 bits are
 * refused.
 *
 * <p>The result takes memory in proportion to the pickle. The opcodes are those of {@code
 * pickletools.py}.
 */
final class Unpickler {

  enum None {
    NONE
  }

  /** The names that may be imported. Calling a name only makes data. */
  private enum Symbol {
    /** The call that makes bytes in protocols 0 to 2 of Python 3: encodes a string as Latin-1. */
    ENCODE,
    BYTES,
    BYTEARRAY,
    DTYPE,
    SCALAR
  }

  private static final Map<String, Symbol> SYMBOLS =
      Map.ofEntries(
          Map.entry("_codecs encode", Symbol.ENCODE),
          Map.entry("builtins bytes", Symbol.BYTES),
          Map.entry("__builtin__ bytes", Symbol.BYTES),
          Map.entry("builtins bytearray", Symbol.BYTEARRAY),
          Map.entry("__builtin__ bytearray", Symbol.BYTEARRAY),
          Map.entry("numpy dtype", Symbol.DTYPE),
          Map.entry("numpy.core.multiarray scalar", Symbol.SCALAR),
          Map.entry("numpy._core.multiarray scalar", Symbol.SCALAR));

  /** A NumPy dtype: a code such as {@code i8}, and the byte order, which its pickled state sets. */
  private static final class ScalarType {
    private final String code;
    private ByteOrder order = ByteOrder.nativeOrder();

    ScalarType(String code) {
      this.code = code;
    }
  }

  /** The names of refused opcodes, for the messages of {@link #refuse}. */
  private static final Map<Integer, String> REFUSED =
      Map.ofEntries(
          Map.entry((int) 'P', "PERSID"),
          Map.entry((int) 'Q', "BINPERSID"),
          Map.entry((int) 'i', "INST"),
          Map.entry((int) 'o', "OBJ"),
          Map.entry(0x81, "NEWOBJ"),
          Map.entry(0x92, "NEWOBJ_EX"),
          Map.entry(0x82, "EXT1"),
          Map.entry(0x83, "EXT2"),
          Map.entry(0x84, "EXT4"),
          Map.entry(0x8f, "EMPTY_SET"),
          Map.entry(0x90, "ADDITEMS"),
          Map.entry(0x91, "FROZENSET"),
          Map.entry(0x97, "NEXT_BUFFER"),
          Map.entry(0x98, "READONLY_BUFFER"));

  private static final int HIGHEST_PROTOCOL = 5;
  private static final int LONGEST_NUMBER = 32;

  /** The mark of a message in Arrow streams; pyarrow aligns it, so multiples of 4 are searched. */
  private static final int ARROW_CONTINUATION = 0xFFFFFFFF;

  private static final int ARROW_SEARCHED_BYTES = 136;

  private final ByteBuffer in;
  private final List<Object> stack = new ArrayList<>();

  /** The size of the stack at each mark that the pickle has set. */
  private final Deque<Integer> marks = new ArrayDeque<>();

  private final Map<Long, Object> memo = new HashMap<>();

  private int opcodeAt;

  private int opcode;

  private Unpickler(ByteBuffer pickle) {
    this.in = pickle.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads a pickle from the buffer's position to its limit, and changes neither. */
  static Object unpickle(ByteBuffer pickle) throws IOException {
    refuseArrow(pickle);
    return new Unpickler(pickle).run();
  }

  static String describe(Object value) {
    if (value instanceof byte[] bytes) {
      return "bytes[" + bytes.length + "]";
    }
    if (value instanceof List<?> list) {
      List<String> kinds = new ArrayList<>();
      for (Object each : list.subList(0, Math.min(4, list.size()))) {
        kinds.add(each instanceof List ? "a sequence" : describe(each));
      }
      return "a sequence of %d: %s".formatted(list.size(), String.join(", ", kinds));
    }
    if (value instanceof Map<?, ?> map) {
      return "a dict of " + map.size();
    }
    if (value instanceof String text) {
      return "str[" + text.length() + "]";
    }
    return value.getClass().getSimpleName() + " " + value;
  }

  /**
   * Refuses values of pyarrow.serialize, which older versions of folder2lmdb used: a few counts of
   * 32 bits, and then an Arrow stream.
   */
  private static void refuseArrow(ByteBuffer pickle) throws IOException {
    ByteBuffer in = pickle.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (in.remaining() < Long.BYTES || in.get(0) != 0) {
      return;
    }
    int last = Math.min(in.limit() - Integer.BYTES, ARROW_SEARCHED_BYTES);
    for (int at = Integer.BYTES; at <= last; at += Integer.BYTES) {
      if (in.getInt(at) == ARROW_CONTINUATION) {
        throw new IOException(
            "the value was written by pyarrow.serialize, which pyarrow itself no longer reads;"
                + " write the database again with a folder2lmdb that pickles");
      }
    }
  }

  private Object run() throws IOException {
    while (true) {
      opcodeAt = in.position();
      opcode = u8();
      if (opcode == '.') {
        Object result = pop();
        if (result instanceof Symbol || result instanceof ScalarType) {
          throw refuse("the pickle is %s, not data".formatted(result));
        }
        return result;
      }
      step();
    }
  }

  private void step() throws IOException {
    switch (opcode) {
      // Protocol and frames.
      case 0x80 -> {
        int protocol = u8();
        if (protocol > HIGHEST_PROTOCOL) {
          throw refuse("protocol %d; up to %d can be read".formatted(protocol, HIGHEST_PROTOCOL));
        }
      }
      case 0x95 -> length(in.remaining() < Long.BYTES ? -1 : in.getLong());

      // Constants.
      case 'N' -> push(None.NONE);
      case 0x88 -> push(true);
      case 0x89 -> push(false);

      // Numbers.
      case 'I' -> {
        String line = line();
        push(line.equals("00") ? (Object) false : line.equals("01") ? (Object) true : number(line));
      }
      case 'L' -> {
        String line = line();
        push(number(line.endsWith("L") ? line.substring(0, line.length() - 1) : line));
      }
      case 'J' -> push((long) i32());
      case 'K' -> push((long) u8());
      case 'M' -> push((long) u16());
      case 0x8a -> push(number(bytes(u8())));
      case 0x8b -> push(number(bytes(i32())));
      case 'F' -> push(real(line()));
      case 'G' -> push(real64());

      // Bytes and strings.
      case 'S' -> push(quoted(line()));
      case 'T' -> push(bytes(i32()));
      case 'U', 'C' -> push(bytes(u8()));
      case 'B' -> push(bytes(u32()));
      case 0x8e, 0x96 -> push(bytes(u64()));
      case 'V' -> push(escaped(line()));
      case 0x8c -> push(utf8(u8()));
      case 'X' -> push(utf8(u32()));
      case 0x8d -> push(utf8(u64()));

      // Collections.
      case '(' -> marks.push(stack.size());
      case ')' -> push(List.of());
      case 't' -> push(List.copyOf(popToMark()));
      case 0x85 -> push(List.copyOf(popLast(1)));
      case 0x86 -> push(List.copyOf(popLast(2)));
      case 0x87 -> push(List.copyOf(popLast(3)));
      case ']' -> push(new ArrayList<>());
      case 'l' -> push(popToMark());
      case 'a' -> {
        List<Object> items = popLast(1);
        list(top()).addAll(items);
      }
      case 'e' -> {
        List<Object> items = popToMark();
        list(top()).addAll(items);
      }
      case '}' -> push(new LinkedHashMap<>());
      case 'd' -> {
        List<Object> items = popToMark();
        push(new LinkedHashMap<>());
        putAll(items);
      }
      case 's' -> putAll(popLast(2));
      case 'u' -> putAll(popToMark());

      // The stack and the memo.
      case '0' -> {
        if (!marks.isEmpty() && marks.peek() == stack.size()) {
          marks.pop();
        } else {
          pop();
        }
      }
      case '1' -> popToMark();
      case '2' -> push(top());
      case 'p' -> memo.put(number(line()), top());
      case 'q' -> memo.put((long) u8(), top());
      case 'r' -> memo.put(u32(), top());
      case 0x94 -> memo.put((long) memo.size(), top());
      case 'g' -> push(remembered(number(line())));
      case 'h' -> push(remembered((long) u8()));
      case 'j' -> push(remembered(u32()));

      // Constructors of data.
      case 'c' -> {
        String module = line();
        push(symbol(module, line()));
      }
      case 0x93 -> {
        List<Object> names = popLast(2);
        push(symbol(String.valueOf(names.get(0)), String.valueOf(names.get(1))));
      }
      case 'R' -> {
        List<Object> call = popLast(2);
        push(call(call.get(0), call.get(1)));
      }
      case 'b' -> {
        List<Object> state = popLast(1);
        build(top(), state.get(0));
      }
      default -> throw refuse(REFUSED.getOrDefault(opcode, "there is no such opcode"));
    }
  }

  private Symbol symbol(String module, String name) throws IOException {
    Symbol symbol = SYMBOLS.get(module + " " + name);
    if (symbol == null) {
      throw refuse("it imports %s.%s; a pickle may only be data".formatted(module, name));
    }
    return symbol;
  }

  private Object call(Object callable, Object arguments) throws IOException {
    if (callable instanceof Symbol symbol && arguments instanceof List<?> list) {
      Object first = list.isEmpty() ? null : list.get(0);
      Object second = list.size() < 2 ? null : list.get(1);
      switch (symbol) {
        case BYTES, BYTEARRAY, ENCODE -> {
          if (list.isEmpty() && symbol != Symbol.ENCODE) {
            return new byte[0];
          }
          if (first instanceof byte[] && list.size() == 1 && symbol == Symbol.BYTEARRAY) {
            return first;
          }
          if (first instanceof String text
              && ("latin1".equals(second) || "latin-1".equals(second))) {
            return latin1(text);
          }
        }
        case DTYPE -> {
          if (first instanceof String code && code.matches("[biuf][1248]")) {
            return new ScalarType(code);
          }
        }
        case SCALAR -> {
          if (first instanceof ScalarType type && second instanceof byte[] bytes) {
            return scalar(type, bytes);
          }
        }
      }
    }
    throw refuse("it calls %s with %s".formatted(callable, describe(arguments)));
  }

  /** Sets the state of a dtype: (3, byte order, None, None, None, -1, -1, 0). */
  private void build(Object object, Object state) throws IOException {
    if (!(object instanceof ScalarType type)
        || !(state instanceof List<?> list)
        || list.size() < 2
        || !(list.get(1) instanceof String order)) {
      throw refuse("it sets the state of %s".formatted(describe(object)));
    }
    switch (order) {
      case "<" -> type.order = ByteOrder.LITTLE_ENDIAN;
      case ">" -> type.order = ByteOrder.BIG_ENDIAN;
      case "|", "=" -> {}
      default -> throw refuse("a dtype with the byte order '" + order + "'");
    }
  }

  private Object scalar(ScalarType type, byte[] bytes) throws IOException {
    ByteBuffer value = ByteBuffer.wrap(bytes).order(type.order);
    if (bytes.length != type.code.charAt(1) - '0') {
      throw refuse("a scalar %s of %d bytes".formatted(type.code, bytes.length));
    }
    return switch (type.code) {
      case "b1" -> value.get() != 0;
      case "i1" -> (long) value.get();
      case "u1" -> value.get() & 0xFFL;
      case "i2" -> (long) value.getShort();
      case "u2" -> value.getShort() & 0xFFFFL;
      case "i4" -> (long) value.getInt();
      case "u4" -> value.getInt() & 0xFFFFFFFFL;
      case "i8" -> value.getLong();
      case "f4" -> (double) value.getFloat();
      case "f8" -> value.getDouble();
      default -> throw refuse("a scalar of the type " + type.code);
    };
  }

  private void push(Object value) {
    stack.add(value);
  }

  private Object top() throws IOException {
    requireItems(1);
    return stack.get(stack.size() - 1);
  }

  private Object pop() throws IOException {
    requireItems(1);
    return stack.remove(stack.size() - 1);
  }

  private List<Object> popLast(int count) throws IOException {
    requireItems(count);
    return cut(stack.size() - count);
  }

  private List<Object> popToMark() throws IOException {
    if (marks.isEmpty()) {
      throw corrupt("there is no mark on the stack");
    }
    return cut(marks.pop());
  }

  private List<Object> cut(int from) {
    List<Object> tail = stack.subList(from, stack.size());
    List<Object> items = new ArrayList<>(tail);
    tail.clear();
    return items;
  }

  private void requireItems(int count) throws IOException {
    if (stack.size() - (marks.isEmpty() ? 0 : marks.peek()) < count) {
      throw corrupt("it needs %d more items on the stack".formatted(count));
    }
  }

  @SuppressWarnings("unchecked")
  private List<Object> list(Object value) throws IOException {
    if (value instanceof ArrayList<?> list) {
      return (ArrayList<Object>) list;
    }
    throw corrupt("it adds to %s, which is not a list".formatted(describe(value)));
  }

  @SuppressWarnings("unchecked")
  private void putAll(List<Object> items) throws IOException {
    if (!(top() instanceof LinkedHashMap<?, ?> map) || items.size() % 2 != 0) {
      throw corrupt("it puts %d keys and values into %s".formatted(items.size(), describe(top())));
    }
    for (int i = 0; i < items.size(); i += 2) {
      Object key = items.get(i);
      if (key instanceof List || key instanceof Map) {
        throw refuse("a dict with %s as a key".formatted(describe(key)));
      }
      ((LinkedHashMap<Object, Object>) map).put(key, items.get(i + 1));
    }
  }

  private Object remembered(Long number) throws IOException {
    Object value = memo.get(number);
    if (value == null) {
      throw corrupt("nothing is remembered as " + number);
    }
    return value;
  }

  private int u8() throws IOException {
    length(1);
    return in.get() & 0xFF;
  }

  private int u16() throws IOException {
    length(Short.BYTES);
    return in.getShort() & 0xFFFF;
  }

  private int i32() throws IOException {
    length(Integer.BYTES);
    return in.getInt();
  }

  private long u32() throws IOException {
    return i32() & 0xFFFFFFFFL;
  }

  private long u64() throws IOException {
    length(Long.BYTES);
    return in.getLong();
  }

  private double real64() throws IOException {
    return Double.longBitsToDouble(Long.reverseBytes(u64()));
  }

  private byte[] bytes(long count) throws IOException {
    byte[] bytes = new byte[length(count)];
    in.get(bytes);
    return bytes;
  }

  private String utf8(long count) throws IOException {
    return new String(bytes(count), StandardCharsets.UTF_8);
  }

  private int length(long count) throws IOException {
    if (count < 0 || count > in.remaining()) {
      throw corrupt("%d bytes should follow, %d are left".formatted(count, in.remaining()));
    }
    return (int) count;
  }

  private String line() throws IOException {
    int start = in.position();
    while (u8() != '\n') {
      // Reads to the end of the line.
    }
    byte[] bytes = new byte[in.position() - start - 1];
    in.get(start, bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private Long number(String digits) throws IOException {
    try {
      return Long.valueOf(digits.strip());
    } catch (NumberFormatException e) {
      throw refuse("the number '%s' does not fit 64 bits".formatted(briefly(digits)));
    }
  }

  /** Returns a number in two's complement, little-endian. */
  private Long number(byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      return 0L;
    }
    if (bytes.length > LONGEST_NUMBER) {
      throw refuse("a number of %d bytes does not fit 64 bits".formatted(bytes.length));
    }
    byte[] bigEndian = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      bigEndian[i] = bytes[bytes.length - 1 - i];
    }
    BigInteger number = new BigInteger(bigEndian);
    if (number.bitLength() >= Long.SIZE) {
      throw refuse("the number %s does not fit 64 bits".formatted(number));
    }
    return number.longValue();
  }

  private Double real(String text) throws IOException {
    try {
      return PythonFloat.parse(text);
    } catch (NumberFormatException e) {
      throw corrupt("'%s' is not a number".formatted(briefly(text)));
    }
  }

  /** Returns the bytes that a repr of Python 2's str describes. */
  private byte[] quoted(String line) throws IOException {
    String text = line.strip();
    char quote = text.isEmpty() ? 0 : text.charAt(0);
    if (text.length() < 2 || (quote != '\'' && quote != '"') || !text.endsWith("" + quote)) {
      throw corrupt("'%s' is not a quoted string".formatted(briefly(text)));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
    int end = text.length() - 1;
    for (int i = 1; i < end; i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        out.write(c);
        continue;
      }
      char kind = ++i < end ? text.charAt(i) : 0;
      int plain = "\\'\"nrtabfv".indexOf(kind);
      if (plain >= 0) {
        out.write("\\'\"\n\r\t\u0007\b\f\u000B".charAt(plain));
      } else if (kind == 'x' && i + 2 < end) {
        out.write(hexadecimal(text.substring(i + 1, i + 3)));
        i += 2;
      } else {
        throw corrupt("'%s' has an invalid escape".formatted(briefly(text)));
      }
    }
    return out.toByteArray();
  }

  /** Decodes raw-unicode-escape: Latin-1, and backslash u with 4 hex digits or U with 8. */
  private String escaped(String line) throws IOException {
    StringBuilder out = new StringBuilder(line.length());
    for (int i = 0; i < line.length(); i++) {
      int digits = 0;
      if (line.charAt(i) == '\\' && i + 1 < line.length()) {
        digits = line.charAt(i + 1) == 'u' ? 4 : line.charAt(i + 1) == 'U' ? 8 : 0;
      }
      if (digits == 0) {
        out.append(line.charAt(i));
        continue;
      }
      int end = i + 2 + digits;
      int code = end > line.length() ? -1 : hexadecimal(line.substring(i + 2, end));
      if (!Character.isValidCodePoint(code)) {
        throw corrupt("'%s' has an invalid escape".formatted(briefly(line)));
      }
      out.appendCodePoint(code);
      i = end - 1;
    }
    return out.toString();
  }

  private int hexadecimal(String digits) throws IOException {
    int number = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = Character.digit(digits.charAt(i), 16);
      if (digit < 0) {
        throw corrupt("'%s' is not a hexadecimal number".formatted(digits));
      }
      number = number << 4 | digit;
    }
    return number;
  }

  private byte[] latin1(String text) throws IOException {
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      if (text.charAt(i) > 0xFF) {
        throw corrupt("it encodes U+%04X as Latin-1".formatted((int) text.charAt(i)));
      }
      bytes[i] = (byte) text.charAt(i);
    }
    return bytes;
  }

  private static String briefly(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }

  private IOException refuse(String why) {
    return new IOException(
        "the pickle is refused: opcode %s at byte %d: %s".formatted(name(), opcodeAt, why));
  }

  private IOException corrupt(String why) {
    return new IOException(
        "the pickle is corrupt: opcode %s at byte %d: %s".formatted(name(), opcodeAt, why));
  }

  private String name() {
    return opcode > 0x20 && opcode < 0x7F
        ? "0x%02x '%c'".formatted(opcode, opcode)
        : "0x%02x".formatted(opcode);
  }
}
