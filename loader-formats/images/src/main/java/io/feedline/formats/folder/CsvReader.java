package io.feedline.formats.folder;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.internal.Presence;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the rows of a CSV file in UTF-8 by RFC 4180. Quoted fields may contain delimiters,
 * line breaks and doubled quotes; spaces belong to a field. Lines end with LF or CRLF. The reader
 * skips empty lines and a byte order mark. Text that the RFC does not allow throws a {@link
 * FormatException} that names the line. Not thread-safe.
 */
final class CsvReader implements Closeable {

  /** The largest number of characters of a field, to notice a missing closing quote. */
  static final int MAX_FIELD_CHARS = 1 << 16;

  private static final int END = -1;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Path file;
  private final char delimiter;
  private final BufferedReader in;
  private final StringBuilder field = new StringBuilder();

  /** The number of the line that is being read, from 1. */
  private long line = 1;

  /** The number of the line in which the last row began, from 1; 0 before the first row. */
  private long rowLine;

  CsvReader(Path file, char delimiter) throws IOException {
    if (!Presence.isFile(file)) {
      throw new FileNotFoundException(
          file + (Presence.exists(file) ? ": this is not a file" : ": there is no such file"));
    }
    this.file = file;
    this.delimiter = delimiter;
    this.in =
        new BufferedReader(
            new InputStreamReader(OpenFile.of(file).stream(), StandardCharsets.UTF_8.newDecoder()));
  }

  /** Returns the number of the line in which the last row began, from 1. */
  long line() {
    return rowLine;
  }

  /** Returns the exception for a problem with the last row. */
  FormatException problem(String problem) {
    return problem(rowLine, problem);
  }

  private FormatException problem(long line, String problem) {
    return FormatException.in(file, "line " + line + ": " + problem);
  }

  /** Returns the fields of the next row; null at the end of the file. */
  @Nullable List<String> next() throws IOException {
    int c = read();
    if (c == BYTE_ORDER_MARK && rowLine == 0) {
      c = read();
    }
    while (c == '\n' || c == '\r') {
      c = afterLineEnd(c);
    }
    if (c == END) {
      return null;
    }
    rowLine = line;
    List<String> fields = new ArrayList<>();
    while (true) {
      field.setLength(0);
      c = c == '"' ? quoted() : plain(c);
      fields.add(field.toString());
      if (c != delimiter) {
        if (c == '\r') {
          requireLineFeed();
        }
        line++;
        return fields;
      }
      c = read();
    }
  }

  /** Reads an unquoted field from {@code first} on; returns the character after the field. */
  private int plain(int first) throws IOException {
    int c = first;
    while (c != delimiter && c != '\n' && c != '\r' && c != END) {
      if (c == '"') {
        throw problem(
            line,
            "a quote within the field '%s', which does not begin with one; quote the field and double the quotes in it"
                .formatted(field));
      }
      append(c);
      c = read();
    }
    return c;
  }

  /** Reads a field after its opening quote; returns the character after the closing quote. */
  private int quoted() throws IOException {
    long opened = line;
    while (true) {
      int c = read();
      if (c == END) {
        throw problem(opened, "a quote is opened and not closed");
      }
      if (c == '"') {
        c = read();
        if (c != '"') {
          if (c == delimiter || c == '\n' || c == '\r' || c == END) {
            return c;
          }
          throw problem(
              line,
              "'%s' behind the closing quote of the field '%s'; double the quotes in a field"
                  .formatted((char) c, field));
        }
      } else if (c == '\n') {
        line++;
      }
      append(c);
    }
  }

  private void append(int c) throws FormatException {
    if (field.length() == MAX_FIELD_CHARS) {
      throw problem(
          "a field of more than %d characters; is a quote not closed?".formatted(MAX_FIELD_CHARS));
    }
    field.append((char) c);
  }

  private int afterLineEnd(int c) throws IOException {
    if (c == '\r') {
      requireLineFeed();
    }
    line++;
    return read();
  }

  private void requireLineFeed() throws IOException {
    if (read() != '\n') {
      throw problem(line, "a carriage return without a line feed; lines end with LF or CRLF");
    }
  }

  private int read() throws IOException {
    try {
      return in.read();
    } catch (CharacterCodingException notUtf8) {
      throw FormatException.in(
          file, "not UTF-8 text, somewhere behind line %d".formatted(line), notUtf8);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
