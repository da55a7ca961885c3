package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import java.util.Arrays;

/**
 * A reader of the fax compressions of TIFF (ITU-T T.4 and T.6). A row is stored as alternating runs
 * of white and black, or as differences to the row above. In the output a black pixel is a bit 1.
 * An unknown code, a row that is too long, and an end before the last row are errors.
 */
final class FaxInput implements StripInput {

  enum Kind {
    /** Rows of runs, each beginning at a whole byte (compression 2). */
    RUNS,
    /** Rows of runs, each beginning with the code for the end of a line (compression 3). */
    GROUP_3,
    /** Rows as in {@link #GROUP_3}; a bit in front says if a row is of runs or differences. */
    GROUP_3_OF_DIFFERENCES,
    /** Rows of differences alone (compression 4). */
    GROUP_4
  }

  private static final int MOST_BITS = 13;

  private static final String WHITE =
      """
      00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101
      101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000
      00000010 00000011 00011010 00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000
      00101001 00101010 00101011 00101100 00101101 00000100 00000101 00001010 00001011 01010010 01010011
      01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011 00110010
      00110011 00110100
      11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101
      011010010 011010011 011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011
      010011000 010011001 010011010 011000 010011011
      """;

  private static final String BLACK =
      """
      0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111
      000011000 0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000
      00000010111 00000011000 000011001010 000011001011 000011001100 000011001101 000001101000 000001101001
      000001101010 000001101011 000011010010 000011010011 000011010100 000011010101 000011010110 000011010111
      000001101100 000001101101 000011011010 000011011011 000001010100 000001010101 000001010110 000001010111
      000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 000000111000 000000100111
      000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 000001100111
      0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100
      0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011
      0000001110100 0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100
      0000001010101 0000001011010 0000001011011 0000001100100 0000001100101
      """;

  /** Codes for runs of 1792 pixels and more, of either color. */
  private static final String LONG =
      """
      00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110
      000000010111 000000011100 000000011101 000000011110 000000011111
      """;

  /** Codes of a color change at most 3 columns beside the color change in the row above. */
  private static final String VERTICAL = "0000010 000010 010 1 011 000011 0000011";

  private static final int HORIZONTAL = 7;
  private static final int PASS = 8;

  /**
   * The codes of runs by color, indexed by the next 13 bits. An element is 16 times the index of
   * the code in the list, plus the number of the code's bits; 0 if no code matches.
   */
  private static final int[][] RUNS = {
    table((WHITE + LONG).split("\\s+")), table((BLACK + LONG).split("\\s+"))
  };

  private static final int[] MODES = table((VERTICAL + " 001 0001").split(" "));

  private final byte[] data;
  private final long end;
  private final int width;
  private final Kind kind;
  private final String what;
  private long at;

  /** The columns where the row above changes color, first to black; then the width three times. */
  private int[] above;

  private int[] changes;
  private int count;

  FaxInput(byte[] data, int start, int end, int width, Kind kind, String what) {
    this.data = data;
    this.at = 8L * start;
    this.end = 8L * end;
    this.width = width;
    this.kind = kind;
    this.what = what;
    this.above = new int[] {width, width, width};
    this.changes = above.clone();
  }

  private static int[] table(String[] codes) {
    int[] table = new int[1 << MOST_BITS];
    for (int i = 0; i < codes.length; i++) {
      int free = MOST_BITS - codes[i].length();
      int first = Integer.parseInt(codes[i], 2) << free;
      Arrays.fill(table, first, first + (1 << free), i << 4 | codes[i].length());
    }
    return table;
  }

  @Override
  public void read(byte[] to, int offset, int length) throws FormatException {
    int rowBytes = (width + 7) / 8;
    for (int out = offset; out < offset + length; out += rowBytes) {
      readRow();
      Arrays.fill(to, out, out + rowBytes, (byte) 0);
      for (int i = 0; i < count; i += 2) {
        for (int x = changes[i]; x < changes[i + 1]; x++) {
          to[out + (x >> 3)] |= (byte) (0x80 >> (x & 7));
        }
      }
      int[] next = above;
      above = changes;
      changes = next;
    }
  }

  private void readRow() throws FormatException {
    count = 0;
    boolean differences = kind == Kind.GROUP_4;
    if (kind == Kind.RUNS) {
      at = (at + 7) & ~7L;
    } else if (kind != Kind.GROUP_4) {
      skipEndOfLine();
      differences = kind == Kind.GROUP_3_OF_DIFFERENCES && bits(1) == 0;
      at += kind == Kind.GROUP_3_OF_DIFFERENCES ? 1 : 0;
    }
    if (differences) {
      readDifferences();
    } else {
      for (int x = 0, color = 0; x < width; color ^= 1) {
        x = change(x + run(color));
      }
    }
    if (at > end) {
      throw damaged("its data end before its last row");
    }
    reserve();
    Arrays.fill(changes, count, count + 3, width);
  }

  /** Skips the end of a line: at least 11 zeros, then a one. */
  private void skipEndOfLine() throws FormatException {
    long first = at;
    while (at < end && bits(1) == 0) {
      at++;
    }
    if (at - first < 11) {
      throw damaged("a row does not begin with the end of a line");
    }
    at++;
  }

  private void readDifferences() throws FormatException {
    int from = -1;
    int color = 0;
    int i = 0;
    while (from < width) {
      // Finds, in the row above, the first change to the other color after the column from.
      while (i > 0 && above[i - 1] > from) {
        i--;
      }
      while (above[i] <= from) {
        i++;
      }
      i += (i ^ color) & 1;
      int mode = code(MODES);
      if (mode == HORIZONTAL) {
        int middle = change(Math.max(0, from) + run(color));
        from = change(middle + run(color ^ 1));
      } else if (mode == PASS) {
        from = above[i + 1];
      } else {
        int to = above[i] + mode - 3;
        if (to < Math.max(0, from)) {
          throw damaged("a run ends before it begins");
        }
        from = change(to);
        color ^= 1;
      }
    }
  }

  private int change(int x) throws FormatException {
    if (x > width || count > width + 1 || at > end) {
      throw damaged("a row has more than %d pixels, or its data end".formatted(width));
    }
    reserve();
    changes[count++] = x;
    return x;
  }

  private void reserve() {
    if (changes.length < count + 3) {
      changes = Arrays.copyOf(changes, 2 * count + 3);
    }
  }

  private int run(int color) throws FormatException {
    int length = 0;
    int code;
    do {
      code = code(RUNS[color]);
      length += code < 64 ? code : 64 * (code - 63);
    } while (code >= 64 && length <= width);
    return length;
  }

  private int code(int[] table) throws FormatException {
    int found = table[bits(MOST_BITS)];
    if (found == 0) {
      throw damaged("no code begins with its bit %d".formatted(at));
    }
    at += found & 15;
    return found >> 4;
  }

  /** Returns the next bits without consuming them; bits after the end are 0. */
  private int bits(int wanted) {
    int bits = 0;
    for (int i = 0; i < 3; i++) {
      long index = (at >> 3) + i;
      bits = bits << 8 | (8 * index < end ? data[(int) index] & 0xFF : 0);
    }
    return bits >> (24 - (int) (at & 7) - wanted) & ((1 << wanted) - 1);
  }

  private FormatException damaged(String why) {
    return new FormatException("%s is damaged: %s".formatted(what, why));
  }
}
