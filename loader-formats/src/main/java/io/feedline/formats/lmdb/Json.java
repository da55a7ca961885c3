package io.feedline.formats.lmdb;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON (RFC 8259), as the metadata of a database needs it: objects are maps in order, arrays are
 * lists, numbers are Long where they are whole and Double otherwise.
 */
final class Json {

  private static final int MAX_DEPTH = 64;

  private final String text;
  private int position;
  private int depth;

  private Json(String text) {
    this.text = text;
  }

  // ---- writing ------------------------------------------------------------------------------

  /** Writes maps, lists, strings, numbers, booleans and null. */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> map) {
      String before = "{";
      for (Map.Entry<?, ?> each : map.entrySet()) {
        out.append(before);
        quote((String) each.getKey(), out);
        write(each.getValue(), out.append(':'));
        before = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      out.append('[');
      for (int i = 0; i < list.size(); i++) {
        write(list.get(i), i == 0 ? out : out.append(','));
      }
      out.append(']');
    } else if (value instanceof String string) {
      quote(string, out);
    } else {
      out.append(value);
    }
  }

  private static void quote(String string, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || Character.isSurrogate(c)) {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  // ---- reading ------------------------------------------------------------------------------

  /**
   * Reads an object.
   *
   * @throws IllegalArgumentException if the text is anything else, naming the position
   */
  static Map<String, Object> readObject(String text) {
    Json json = new Json(text);
    json.skipSpace();
    if (!json.peek('{')) {
      throw json.expected("an object");
    }
    Map<String, Object> object = json.object();
    json.skipSpace();
    if (json.position != text.length()) {
      throw json.expected("the end");
    }
    return object;
  }

  private Object value() {
    skipSpace();
    if (peek('{')) {
      return object();
    }
    if (peek('[')) {
      return array();
    }
    if (peek('"')) {
      return string();
    }
    if (word("true")) {
      return true;
    }
    if (word("false")) {
      return false;
    }
    return word("null") ? null : number();
  }

  private boolean word(String word) {
    boolean there = text.startsWith(word, position);
    position += there ? word.length() : 0;
    return there;
  }

  private Map<String, Object> object() {
    enter();
    Map<String, Object> object = new LinkedHashMap<>();
    expect('{');
    if (!accept('}')) {
      do {
        skipSpace();
        int start = position;
        String key = string();
        if (object.containsKey(key)) {
          position = start;
          throw expected("another key than '" + key + "' again");
        }
        expect(':');
        object.put(key, value());
      } while (accept(','));
      expect('}');
    }
    depth--;
    return object;
  }

  private List<Object> array() {
    enter();
    List<Object> array = new ArrayList<>();
    expect('[');
    if (!accept(']')) {
      do {
        array.add(value());
      } while (accept(','));
      expect(']');
    }
    depth--;
    return array;
  }

  private void enter() {
    if (++depth > MAX_DEPTH) {
      throw expected("at most " + MAX_DEPTH + " levels");
    }
  }

  private Number number() {
    int start = position;
    while (position < text.length() && "-+.0123456789eE".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    String digits = text.substring(start, position);
    try {
      if (digits.matches("-?(0|[1-9][0-9]*)")) {
        return Long.valueOf(digits);
      }
      if (digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?")) {
        return new BigDecimal(digits).doubleValue();
      }
    } catch (NumberFormatException tooLarge) {
      position = start;
      throw expected("a number that fits, not " + digits);
    }
    position = start;
    throw expected("a value");
  }

  private String string() {
    skipSpace();
    if (!peek('"')) {
      throw expected("a string");
    }
    position++;
    StringBuilder out = new StringBuilder();
    while (!peek('"')) {
      if (position >= text.length() || text.charAt(position) < 0x20) {
        throw expected("the end of a string");
      }
      char c = text.charAt(position++);
      out.append(c == '\\' ? escape() : c);
    }
    position++;
    return out.toString();
  }

  private char escape() {
    int kind = position < text.length() ? "\"\\/bfnrtu".indexOf(text.charAt(position)) : -1;
    if (kind < 0) {
      throw expected("an escape");
    }
    position++;
    if (kind < 8) {
      return "\"\\/\b\f\n\r\t".charAt(kind);
    }
    int code = 0;
    for (int end = position + 4; position < end; position++) {
      int digit = position < text.length() ? Character.digit(text.charAt(position), 16) : -1;
      if (digit < 0) {
        throw expected("four hexadecimal digits");
      }
      code = code << 4 | digit;
    }
    return (char) code;
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw expected("'" + c + "'");
    }
  }

  private boolean accept(char c) {
    skipSpace();
    if (peek(c)) {
      position++;
      return true;
    }
    return false;
  }

  private boolean peek(char c) {
    return position < text.length() && text.charAt(position) == c;
  }

  private void skipSpace() {
    while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  private IllegalArgumentException expected(String what) {
    int from = Math.max(0, position - 20);
    int to = Math.min(text.length(), position + 20);
    return new IllegalArgumentException(
        "expected %s at position %d, near '%s'"
            .formatted(what, position, text.substring(from, to)));
  }
}
