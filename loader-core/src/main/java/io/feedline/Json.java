package io.feedline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * As much of JSON (RFC 8259) as the states and lists of this package need: one object of strings,
 * integers and arrays of integers. loader-core depends on no library for it.
 */
final class Json {

  private static final Pattern LEADING_ZEROS = Pattern.compile("-?0[0-9]+");

  private final String text;
  private int position;

  private Json(String text) {
    this.text = text;
  }

  /** Writes an object whose values are strings, integers or lists of integers. */
  static String write(Map<String, ?> object) {
    StringBuilder out = new StringBuilder("{");
    object.forEach(
        (key, value) -> {
          out.append(out.length() == 1 ? "" : ",").append(quoted(key)).append(':');
          out.append(value instanceof String string ? quoted(string) : compact(value));
        });
    return out.append('}').toString();
  }

  private static String compact(Object value) {
    return value.toString().replace(" ", "");
  }

  private static String quoted(String string) {
    StringBuilder out = new StringBuilder("\"");
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
    return out.append('"').toString();
  }

  /**
   * Reads an object whose values are strings (given as String), integers (Long) or arrays of
   * integers (List of Long).
   *
   * @throws IllegalArgumentException if the text is anything else, naming the position
   */
  static Map<String, Object> read(String text) {
    Json json = new Json(text);
    Map<String, Object> object = json.object();
    json.skipSpace();
    if (json.position != text.length()) {
      throw json.expected("the end");
    }
    return object;
  }

  private Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    expect('{');
    if (accept('}')) {
      return object;
    }
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
    return object;
  }

  private Object value() {
    skipSpace();
    if (peek('"')) {
      return string();
    }
    if (!accept('[')) {
      return integer();
    }
    List<Long> list = new ArrayList<>();
    if (accept(']')) {
      return list;
    }
    do {
      list.add(integer());
    } while (accept(','));
    expect(']');
    return list;
  }

  private Long integer() {
    skipSpace();
    int start = position;
    while (position < text.length() && "-0123456789".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    String digits = text.substring(start, position);
    try {
      if (LEADING_ZEROS.matcher(digits).matches()) {
        throw new NumberFormatException(digits);
      }
      return Long.valueOf(digits);
    } catch (NumberFormatException e) {
      position = start;
      throw expected("a string, an integer or an array of integers");
    }
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (!accepted('"')) {
      if (position >= text.length() || text.charAt(position) < 0x20) {
        throw expected("the end of a string");
      }
      char c = text.charAt(position++);
      out.append(c == '\\' ? escape() : c);
    }
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
    return accepted(c);
  }

  private boolean accepted(char c) {
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
    return new IllegalArgumentException(
        "expected %s at position %d of %s".formatted(what, position, text));
  }
}
