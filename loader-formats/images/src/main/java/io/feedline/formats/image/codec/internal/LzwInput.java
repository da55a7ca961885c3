package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;

/**
 * A reader of LZW data. In a TIFF, codes have 9 to 12 bits, the highest bit first, and codes get
 * longer one code early. Before TIFF 6.0 some writers put the lowest bit first, and did not
 * lengthen codes early. As in libtiff, the first code shows which variant a TIFF uses. A GIF uses
 * the older variant, in blocks of at most 255 bytes; its values have 0 to 12 bits. A code that is
 * not in the table, or an end before all pixels, is an error.
 */
final class LzwInput implements StripInput {

  private static final int MOST_CODES = 4096;

  /** The value of {@link #previous} at the beginning and after the code {@link #clear}. */
  private static final int NONE = -1;

  private final byte[] data;
  private final String what;
  private final boolean blocks;
  private final boolean lowestFirst;

  /** The number of codes by which the length of codes grows earlier than necessary: 0 or 1. */
  private final int early;

  private final int clear;
  private int end;
  private int at;
  private int bits;
  private int bitCount;

  /**
   * The strings of the codes. An element contains the string's length (bits 32 and up), the code of
   * the string without its last byte (bits 16 to 27), its first byte (bits 8 to 15) and its last
   * byte (bits 0 to 7).
   */
  private final long[] table = new long[MOST_CODES];

  private int next;
  private int width;
  private int previous = NONE;

  /** The string whose last {@link #left} bytes did not fit; the next read returns these bytes. */
  private final byte[] string = new byte[MOST_CODES];

  private int left;
  private int stringEnd;

  LzwInput(byte[] data, int start, int end, String what) {
    this(
        data,
        start,
        end,
        Byte.SIZE,
        end - start > 1 && data[start] == 0 && (data[start + 1] & 1) == 1,
        false,
        what);
  }

  private LzwInput(
      byte[] data,
      int start,
      int end,
      int valueBits,
      boolean lowestFirst,
      boolean blocks,
      String what) {
    this.data = data;
    this.at = start;
    this.end = end;
    this.what = what;
    this.blocks = blocks;
    this.lowestFirst = lowestFirst;
    this.early = lowestFirst ? 0 : 1;
    this.clear = 1 << valueBits;
    for (int i = 0; i < clear; i++) {
      table[i] = 1L << 32 | (i & 0xFF) << 8 | (i & 0xFF);
    }
    empty();
  }

  /** Returns the input for a GIF: blocks that follow their lengths, with values of 0 to 12 bits. */
  static LzwInput ofBlocks(byte[] data, int start, int valueBits, String what) {
    return new LzwInput(data, start, start, valueBits, true, true, what);
  }

  private void empty() {
    next = clear + 2;
    width = Integer.SIZE - Integer.numberOfLeadingZeros(clear);
  }

  @Override
  public void read(byte[] to, int offset, int length) throws FormatException {
    int stop = offset + length;
    int count = Math.min(left, length);
    System.arraycopy(string, stringEnd - left, to, offset, count);
    left -= count;
    int out = offset + count;
    while (out < stop) {
      int code = nextString(stop - out);
      if (code < clear) {
        to[out++] = (byte) code;
        continue;
      }
      count = (int) (table[code] >> 32);
      if (count <= stop - out) {
        write(code, to, out, count);
        out += count;
      } else {
        write(code, string, 0, count);
        stringEnd = count;
        left = count - (stop - out);
        System.arraycopy(string, 0, to, out, stop - out);
        return;
      }
    }
  }

  private int nextString(int missing) throws FormatException {
    int code = nextCode(missing);
    if (previous == NONE && code != clear && !blocks) {
      throw damaged("it begins with code %d, expected %d".formatted(code, clear));
    }
    if (code == clear) {
      empty();
      previous = NONE;
      while (code == clear) {
        code = nextCode(missing);
      }
    }
    if (previous == NONE) {
      if (code > clear) {
        throw damaged("code %d before byte %d follows an empty table".formatted(code, at));
      }
    } else if (code == clear + 1) {
      throw damaged("it ends before its last %d bytes".formatted(missing));
    } else if (code > next || code >= MOST_CODES) {
      throw damaged("code %d before byte %d is not in the table of %d".formatted(code, at, next));
    } else if (next < MOST_CODES) {
      long before = table[previous];
      long first = before & 0xFF00;
      long last = (code == next ? first : table[code] & 0xFF00) >> 8;
      table[next++] = ((before >> 32) + 1) << 32 | (long) previous << 16 | first | last;
      if (next == (1 << width) - early && width < 12) {
        width++;
      }
    }
    previous = code;
    return code;
  }

  private FormatException damaged(String why) {
    return new FormatException("%s is damaged: %s".formatted(what, why));
  }

  @Override
  public void finish(int atMost) throws FormatException {
    if (isAtEnd()) {
      return;
    }
    read(new byte[atMost], 0, atMost);
    if (!isAtEnd()) {
      throw damaged("it holds more than its pixels need");
    }
  }

  /** Returns whether nothing follows, or only the code for the end; some writers omit this code. */
  private boolean isAtEnd() {
    while (bitCount <= 16 && at < end) {
      nextByte();
    }
    if (left > 0) {
      return false;
    }
    // Some writers do not count the last string, and so write the end's code with too few bits.
    boolean justGrown = width > 9 && next == (1 << (width - 1)) - early;
    return isEnd(0, width)
        || (justGrown && isEnd(0, width - 1))
        || (bitCount >= width && peek(0, width) == clear && isEnd(width, 9));
  }

  private boolean isEnd(int skipped, int codeBits) {
    return bitCount < skipped + codeBits || peek(skipped, codeBits) == clear + 1;
  }

  private int peek(int skipped, int codeBits) {
    int shift = lowestFirst ? skipped : bitCount - skipped - codeBits;
    return (bits >>> shift) & ((1 << codeBits) - 1);
  }

  private void write(int code, byte[] to, int start, int count) {
    long entry = table[code];
    for (int out = start + count - 1; out > start; out--) {
      to[out] = (byte) entry;
      entry = table[(int) entry >> 16];
    }
    to[start] = (byte) entry;
  }

  private int nextCode(int missing) throws FormatException {
    while (bitCount < width) {
      if (at == end && !nextBlock()) {
        throw damaged("its data ends at byte %d, before its last %d bytes".formatted(at, missing));
      }
      nextByte();
    }
    int code = peek(0, width);
    bitCount -= width;
    if (lowestFirst) {
      bits >>>= width;
    }
    return code;
  }

  private boolean nextBlock() {
    int length = blocks && at < data.length ? data[at++] & 0xFF : 0;
    end = at + length;
    return length > 0 && end <= data.length;
  }

  private void nextByte() {
    int value = data[at++] & 0xFF;
    bits = lowestFirst ? bits | value << bitCount : bits << 8 | value;
    bitCount += 8;
  }
}
