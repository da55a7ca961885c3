package io.feedline.formats.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of a dataset's classes, and the label that the first of them has in the dataset's
 * files; kept beside a format that has no place for names, as JSON:
 *
 * <pre>{@code
 * {"classes": ["cat", "dog"], "firstLabel": 1}
 * }</pre>
 *
 * <p>{@code firstLabel} is 1 where 0 stands for a background, as in TensorFlow's ImageNet; absent,
 * it is 0.
 *
 * @param names by the index of the class
 * @param firstLabel what the files say for class 0, 0 or more
 */
public record ClassList(List<String> names, int firstLabel) {

  /** Larger than the names of any classes; a file beyond it is something else. */
  private static final long MAX_BYTES = 64L << 20;

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException if {@code firstLabel} is negative
   */
  public ClassList {
    names = List.copyOf(names);
    if (firstLabel < 0) {
      throw new IllegalArgumentException("firstLabel must be 0 or more, was " + firstLabel);
    }
  }

  /**
   * Reads a list.
   *
   * @throws IOException if it cannot be read or is none, with file and position
   */
  public static ClassList read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(
          "%s: %d bytes are too many for a list of classes".formatted(file, Files.size(file)));
    }
    String text;
    try {
      text = Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + ": a list of classes must be UTF-8", e);
    }
    return new Parser(file, text).list();
  }

  /**
   * Writes or replaces a list.
   *
   * @throws IOException if that fails; the file is then as it was before
   */
  public void write(Path file) throws IOException {
    StringBuilder out = new StringBuilder("{\"classes\": [");
    for (int i = 0; i < names.size(); i++) {
      out.append(i == 0 ? "" : ", ");
      quote(names.get(i), out);
    }
    out.append("], \"firstLabel\": ").append(firstLabel).append("}\n");
    WholeFile.write(file, out.toString().getBytes(UTF_8));
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

  /** As much of JSON (RFC 8259) as such a list needs. */
  private static final class Parser {
    private final Path file;
    private final String text;
    private int position;

    Parser(Path file, String text) {
      this.file = file;
      this.text = text;
    }

    ClassList list() throws IOException {
      List<String> names = null;
      int firstLabel = 0;
      expect('{');
      do {
        skipSpace();
        int start = position;
        String key = string();
        expect(':');
        switch (key) {
          case "classes" -> names = strings();
          case "firstLabel" -> firstLabel = number();
          default -> {
            position = start;
            throw expected("\"classes\" or \"firstLabel\"");
          }
        }
      } while (accept(','));
      expect('}');
      skipSpace();
      if (position != text.length()) {
        throw expected("the end");
      }
      if (names == null) {
        throw expected("\"classes\" before it");
      }
      return new ClassList(names, firstLabel);
    }

    private List<String> strings() throws IOException {
      List<String> strings = new ArrayList<>();
      expect('[');
      if (accept(']')) {
        return strings;
      }
      do {
        skipSpace();
        strings.add(string());
      } while (accept(','));
      expect(']');
      return strings;
    }

    private int number() throws IOException {
      skipSpace();
      int start = position;
      while (position < text.length() && Character.digit(text.charAt(position), 10) >= 0) {
        position++;
      }
      try {
        return Integer.parseInt(text.substring(start, position));
      } catch (NumberFormatException e) {
        position = start;
        throw expected("a number from 0 to " + Integer.MAX_VALUE);
      }
    }

    private String string() throws IOException {
      expect('"');
      StringBuilder out = new StringBuilder();
      while (position < text.length() && text.charAt(position) != '"') {
        char c = text.charAt(position++);
        out.append(c == '\\' ? escape() : c);
      }
      expect('"');
      return out.toString();
    }

    private char escape() throws IOException {
      int kind = position < text.length() ? "\"\\/bfnrtu".indexOf(text.charAt(position)) : -1;
      if (kind < 0) {
        throw expected("an escape");
      }
      position++;
      if (kind < 8) {
        return "\"\\/\b\f\n\r\t".charAt(kind);
      }
      try {
        int code = Integer.parseUnsignedInt(text.substring(position, position + 4), 16);
        position += 4;
        return (char) code;
      } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
        throw expected("four hexadecimal digits");
      }
    }

    private void expect(char c) throws IOException {
      if (!accept(c)) {
        throw expected("'" + c + "'");
      }
    }

    private boolean accept(char c) {
      skipSpace();
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

    private IOException expected(String what) {
      return new IOException(
          "%s: expected %s at character %d of %d".formatted(file, what, position, text.length()));
    }
  }
}
