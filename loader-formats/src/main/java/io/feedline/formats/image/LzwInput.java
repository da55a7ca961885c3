package io.feedline.formats.image;

/**
 * LZW as TIFF has it: codes of 9 to 12 bits, the highest bit first, which grow one code early. A
 * code that is not in the table, or an end before all pixels are there, is an error.
 */
final class LzwInput implements StripInput {

  private static final int CLEAR = 256;
  private static final int END = 257;
  private static final int FIRST = 258;

  /** Before the first code, which must be {@link #CLEAR}. */
  private static final int NONE = -1;

  private static final int MOST_CODES = 4096;

  private final byte[] data;
  private final int end;
  private final String what;
  private int at;
  private int bits;
  private int bitCount;

  /** Of each code the string that it continues, its last byte, its first byte and its length. */
  private final short[] prefix = new short[MOST_CODES];

  private final byte[] last = new byte[MOST_CODES];
  private final byte[] first = new byte[MOST_CODES];
  private final short[] lengths = new short[MOST_CODES];
  private int next = FIRST;
  private int width = 9;
  private int previous = NONE;

  /** A string that was longer than what was asked for, and how much of it is left. */
  private final byte[] string = new byte[MOST_CODES];

  private int left;
  private int stringEnd;

  LzwInput(byte[] data, int start, int end, String what) {
    this.data = data;
    this.at = start;
    this.end = end;
    this.what = what;
    for (int i = 0; i < CLEAR; i++) {
      last[i] = (byte) i;
      first[i] = (byte) i;
      lengths[i] = 1;
    }
  }

  @Override
  public void read(byte[] to, int offset, int length) throws ImageFormatException {
    int out = offset;
    int stop = offset + length;
    while (out < stop) {
      if (left > 0) {
        int count = Math.min(left, stop - out);
        System.arraycopy(string, stringEnd - left, to, out, count);
        left -= count;
        out += count;
        continue;
      }
      int code = nextString(stop - out);
      int count = lengths[code];
      if (count <= stop - out) {
        write(code, to, out + count);
        out += count;
      } else {
        write(code, string, count);
        stringEnd = count;
        left = count;
      }
    }
  }

  /** The next code that stands for a string, which is then in the table. */
  private int nextString(int missing) throws ImageFormatException {
    int code = nextCode(missing);
    boolean cleared = previous == NONE;
    if (cleared && code != CLEAR) {
      throw new ImageFormatException(
          "%s is damaged: it begins with code %d, expected %d".formatted(what, code, CLEAR));
    }
    while (code == CLEAR) {
      next = FIRST;
      width = 9;
      cleared = true;
      code = nextCode(missing);
    }
    if (code == END) {
      throw new ImageFormatException(
          "%s is damaged: it ends before its last %d bytes".formatted(what, missing));
    }
    if (cleared ? code >= CLEAR : code > next || code >= MOST_CODES) {
      throw new ImageFormatException(
          "%s is damaged: code %d before byte %d is not in the table of %d"
              .formatted(what, code, at, next));
    }
    if (!cleared && next < MOST_CODES) {
      prefix[next] = (short) previous;
      first[next] = first[previous];
      last[next] = code == next ? first[previous] : first[code];
      lengths[next] = (short) (lengths[previous] + 1);
      next++;
      if (next == (1 << width) - 1 && width < 12) {
        width++;
      }
    }
    previous = code;
    return code;
  }

  /** Writes a string from its end. */
  private void write(int code, byte[] to, int stringEnd) {
    int c = code;
    int out = stringEnd;
    for (int i = lengths[code]; i > 0; i--) {
      to[--out] = last[c];
      c = prefix[c];
    }
  }

  private int nextCode(int missing) throws ImageFormatException {
    while (bitCount < width) {
      if (at == end) {
        throw new ImageFormatException(
            "%s is damaged: its data ends at byte %d, before its last %d bytes"
                .formatted(what, end, missing));
      }
      bits = bits << 8 | data[at++] & 0xFF;
      bitCount += 8;
    }
    bitCount -= width;
    return bits >>> bitCount & ((1 << width) - 1);
  }
}
