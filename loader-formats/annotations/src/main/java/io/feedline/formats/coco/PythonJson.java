package io.feedline.formats.coco;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/**
 * JSON as Python writes it, with the words {@code NaN}, {@code Infinity} and {@code -Infinity},
 * which strict JSON does not have. These words become texts of the same length that begin with
 * {@link #MARK}. Not thread-safe.
 */
final class PythonJson extends FilterReader {

  /** The first character of a text for {@code NaN} or {@code Infinity}; not used by Unicode. */
  static final char MARK = '\uFFFF';

  private static final String NAN = "NaN";
  private static final String INFINITY = "Infinity";
  private static final int NONE = -1;

  /** The word that the next characters belong to; empty between words. */
  private String word = "";

  private int atOfWord;
  private boolean inText;
  private boolean escaped;

  private int ahead = NONE;

  PythonJson(Reader in) {
    super(in);
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int from = offset;
    if (ahead != NONE) {
      target[from++] = (char) ahead;
      ahead = NONE;
    }
    int read = from - offset == length ? 0 : in.read(target, from, length - (from - offset));
    if (read < 0 && from == offset) {
      return read;
    }
    int end = from + Math.max(0, read);
    for (int i = offset; i < end; i++) {
      char c = target[i];
      if (escaped) {
        escaped = false;
      } else if (inText) {
        escaped = c == '\\';
        inText = c != '"';
      } else if (!word.isEmpty()) {
        target[i] = inWord(c);
      } else if (c == '"') {
        inText = true;
      } else if (c == 'N' || c == 'I') {
        word = c == 'N' ? NAN : INFINITY;
        target[i] = inWord(c);
      } else if (c == '-' && next(target, i + 1, end) == 'I') {
        target[i] = ' ';
      }
    }
    return end - offset;
  }

  private int next(char[] read, int at, int end) throws IOException {
    if (at < end) {
      return read[at];
    }
    ahead = in.read();
    return ahead;
  }

  /** Returns a quote for a word's first or last letter, the mark for its second, or the letter. */
  private char inWord(char c) {
    boolean expected = c == word.charAt(atOfWord);
    char letter = atOfWord == 1 ? MARK : c;
    boolean edge = atOfWord == 0 || atOfWord == word.length() - 1;
    atOfWord++;
    if (!expected || atOfWord == word.length()) {
      word = "";
      atOfWord = 0;
    }
    return !expected ? c : edge ? '"' : letter;
  }

  @Override
  public int read() throws IOException {
    char[] one = new char[1];
    return read(one, 0, 1) < 0 ? NONE : one[0];
  }
}
