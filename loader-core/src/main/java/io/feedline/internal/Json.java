package io.feedline.internal;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A strict reader and a writer of JSON, as RFC 8259 defines it. Any other text is an error; so are
 * a key that occurs twice in an object, and a nesting of more than {@value #MAX_DEPTH} levels.
 */
public final class Json {

  private static final int MAX_DEPTH = 100;

  /** The largest number of characters of a number, whose conversion takes quadratic time. */
  private static final int MAX_DIGITS = 1000;

  private static final int QUOTED_IN_ERRORS = 40;

  private final String text;
  private int position;

  private Json(String text) {
    this.text = text;
  }

  /**
   * Returns a value as one line of compact JSON, in ASCII.
   *
   * @param value null, a string, a boolean, a number, a list of values, or a map from strings to
   *     values, whose order is kept
   */
  public static String write(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof String string) {
      writeString(string, out);
    } else if (value instanceof Map<?, ?> map) {
      char before = '{';
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        if (!(entry.getKey() instanceof String key)) {
          throw new IllegalArgumentException("a key must be a string, was " + entry.getKey());
        }
        out.append(before);
        writeString(key, out);
        out.append(':');
        write(entry.getValue(), out);
        before = ',';
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      char before = '[';
      for (Object element : list) {
        out.append(before);
        write(element, out);
        before = ',';
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else if (value == null || value instanceof Boolean || isFinite(value)) {
      out.append(value);
    } else {
      throw new IllegalArgumentException("JSON has no form for " + value);
    }
  }

  private static boolean isFinite(Object value) {
    return value instanceof Number number && Double.isFinite(number.doubleValue());
  }

  private static void writeString(String string, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || c > 0x7e) {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  /** Reads an object, members in the text's order; {@link #readValue} lists the types of values. */
  public static Map<String, Object> read(String text) {
    Json json = new Json(text);
    json.skipSpace();
    Map<String, Object> object = json.object(0);
    json.end();
    return object;
  }

  /**
   * Reads any value.
   *
   * @return null, a String, a Boolean, a Long for an integer that fits, a {@link BigDecimal} for
   *     any other number, a List of such values, or a Map of them; lists and maps are mutable
   */
  public static @Nullable Object readValue(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.end();
    return value;
  }

  private void end() {
    skipSpace();
    if (position != text.length()) {
      throw expected("the end");
    }
  }

  private Object value(int depth) {
    skipSpace();
    if (depth > MAX_DEPTH) {
      throw expected("at most " + MAX_DEPTH + " levels");
    }
    char first = position < text.length() ? text.charAt(position) : 0;
    return switch (first) {
      case '"' -> string();
      case '{' -> object(depth);
      case '[' -> array(depth);
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) {
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
        throw expected("another key than '" + excerpt(key, 0) + "' again");
      }
      expect(':');
      object.put(key, value(depth + 1));
    } while (accept(','));
    expect('}');
    return object;
  }

  private List<Object> array(int depth) {
    List<Object> list = new ArrayList<>();
    expect('[');
    if (accept(']')) {
      return list;
    }
    do {
      list.add(value(depth + 1));
    } while (accept(','));
    expect(']');
    return list;
  }

  private Object word(String word, Object meaning) {
    if (!text.startsWith(word, position)) {
      if (word.startsWith(text.substring(position))) {
        position = text.length();
      }
      throw expected("a value");
    }
    position += word.length();
    return meaning;
  }

  private Object number() {
    int start = position;
    accepted('-');
    boolean fits = accepted('0') || digits();
    boolean whole = true;
    if (accepted('.')) {
      whole = false;
      fits &= digits();
    }
    if (accepted('e') || accepted('E')) {
      whole = false;
      if (!accepted('+')) {
        accepted('-');
      }
      fits &= digits();
    }
    String number = text.substring(start, position);
    if (!fits || number.length() > MAX_DIGITS) {
      position = fits || position < text.length() ? start : position;
      throw expected(fits ? "a number of at most " + MAX_DIGITS + " characters" : "a value");
    }
    try {
      BigDecimal decimal = new BigDecimal(number);
      return whole && decimal.precision() <= 19 && isLong(decimal)
          ? (Object) decimal.longValue()
          : decimal;
    } catch (NumberFormatException e) {
      position = start;
      throw expected("a number with a smaller exponent");
    }
  }

  private static boolean isLong(BigDecimal whole) {
    return whole.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) >= 0
        && whole.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
  }

  private boolean digits() {
    int start = position;
    while (position < text.length() && "0123456789".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    return position > start;
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
    if (position < text.length() && text.charAt(position) == c) {
      position++;
      return true;
    }
    return false;
  }

  private void skipSpace() {
    while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  private IllegalArgumentException expected(String what) {
    return new IllegalArgumentException(
        position < text.length()
            ? "expected %s at position %d, found '%s'"
                .formatted(what, position, excerpt(text, position))
            : "the text ends early at position %d: expected %s".formatted(position, what));
  }

  private static String excerpt(String text, int from) {
    int start = Math.min(from, text.length());
    return text.length() - start <= QUOTED_IN_ERRORS
        ? text.substring(start)
        : text.substring(start, start + QUOTED_IN_ERRORS) + "...";
  }
}
