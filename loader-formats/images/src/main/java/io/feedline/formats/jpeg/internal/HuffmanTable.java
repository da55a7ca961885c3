package io.feedline.formats.jpeg.internal;

import java.util.Arrays;
import javax.imageio.plugins.jpeg.JPEGHuffmanTable;

/**
 * A Huffman table (ITU-T T.81, annex C and section F.2.2.3), prepared for decoding a code and its
 * value, or several codes, by one look-up.
 *
 * <p>{@link #fast} is indexed by the next {@value #FAST_BITS} bits. An entry describes a whole
 * symbol: the number of its bits, how far it advances in the block, and the value of the
 * coefficient if all its bits lie within the index.
 *
 * <pre>
 * bits  0 to  5  number of bits to consume (bit 5 is 0, so that {@code long << entry} works)
 * bits  6 to 12  coefficients to advance: 1 + run of zeros, 16 for ZRL, {@value #END_OF_BLOCK} for EOB
 * bits 13 to 16  0 if the entry is complete; otherwise {@link #resolve} completes it:
 *                1 to 14, the number of further bits that the value needs, or 15, a long code
 * bits 17 to 31  the value, signed
 * </pre>
 *
 * <p>{@link #skip} and {@link #several} are used if values do not matter. An entry advances over
 * all symbols whose codes lie within the index of {@value #SKIP_BITS} or {@value #FAST_BITS} bits.
 * If some of the symbols belong to the next block, the entry leads beyond place 64 or, if it ends
 * with EOB, beyond place 127.
 *
 * <p>An object is filled again for other tables, see {@link HuffmanTables}, so that images with
 * tables of their own leave no garbage.
 */
public final class HuffmanTable {

  /** The bits of the longest code, and the number of counts at the beginning of a table. */
  public static final int LENGTHS = 16;

  public static final int MAX_VALUES = 256;

  static final int FAST_BITS = 10;

  /** The shift that makes an index of {@link #fast} from a window of 64 bits. */
  static final int FAST_SHIFT = 64 - FAST_BITS;

  static final int LENGTH_MASK = 31;
  static final int ADVANCE_SHIFT = 6;
  static final int ADVANCE_MASK = 127;

  /** The advance of EOB, which takes 7 bits; from any place of a block it leads to 64 or beyond. */
  static final int END_OF_BLOCK = 64;

  /** The bits of an entry that are all 0 if the entry is complete. */
  static final int INCOMPLETE = 15 << 13;

  static final int VALUE_SHIFT = 17;

  static final int SKIP_BITS = 12;
  static final int SKIP_SHIFT = 64 - SKIP_BITS;

  /**
   * The largest number of bits of an entry of {@link #several}. A refill has 56 bits. Two entries
   * take 26 of them, and 30 bits remain, which is enough for {@link #resolve}.
   */
  private static final int MOST_SEVERAL_BITS = 13;

  private static final int SIZE_SHIFT = 13;
  private static final int LONG_CODE = 15;
  private static final int LONG_CODE_ENTRY = LONG_CODE << SIZE_SHIFT;
  private static final int ZERO_RUN = 15;
  private static final int ZERO_RUN_ADVANCE = 16;

  /** The largest number of coefficients over which several symbols advance, without EOB. */
  static final int MAX_SKIP = 63;

  /** The position of an entry's bit that marks the end of a block (EOB): bit 6 of the advance. */
  static final int SKIP_END_SHIFT = ADVANCE_SHIFT + 6;

  /** The number of bits that a value in an entry may have; T.81 needs 11. */
  private static final int MAX_SIZE = 14;

  /** The largest symbol of a DC table that libjpeg accepts. */
  private static final int MAX_DC_SYMBOL = 15;

  private final int[] fast = new int[1 << FAST_BITS];
  private final int[] skip = new int[1 << SKIP_BITS];
  private boolean skipFilled;
  private final int[] several = new int[1 << FAST_BITS];
  private boolean severalFilled;

  private final byte[] definition = new byte[LENGTHS + MAX_VALUES];
  private int definitionLength;
  private boolean ac;

  /** The largest code of each code length; -1 if no code has the length. */
  private final int[] maxCode = new int[LENGTHS + 1];

  /** The difference between a symbol's offset and its code, for each code length. */
  private final int[] symbolOffset = new int[LENGTHS + 1];

  boolean isFrom(byte[] data, int from, int length, boolean ac) {
    return this.ac == ac
        && definitionLength == length
        && Arrays.equals(definition, 0, length, data, from, from + length);
  }

  static byte[] standard(boolean dc, int table) {
    if (dc) {
      return definition(
          table == 0 ? JPEGHuffmanTable.StdDCLuminance : JPEGHuffmanTable.StdDCChrominance);
    }
    return definition(
        table == 0 ? JPEGHuffmanTable.StdACLuminance : JPEGHuffmanTable.StdACChrominance);
  }

  /** Returns the 16 counts and the symbols of a table, as in a file. */
  public static byte[] definition(JPEGHuffmanTable table) {
    short[] lengths = table.getLengths();
    short[] values = table.getValues();
    byte[] definition = new byte[LENGTHS + values.length];
    for (int i = 0; i < lengths.length; i++) {
      definition[i] = (byte) lengths[i];
    }
    for (int i = 0; i < values.length; i++) {
      definition[LENGTHS + i] = (byte) values[i];
    }
    return definition;
  }

  public static int definitionLength(byte[] data, int from) {
    int length = LENGTHS;
    for (int i = 0; i < LENGTHS; i++) {
      length += data[from + i] & 0xFF;
    }
    return length;
  }

  /** Fills this table from the 16 counts at {@code from} and the symbols that follow them. */
  void fill(byte[] data, int from, int length, boolean ac) throws JpegException {
    definitionLength = 0;
    skipFilled = false;
    severalFilled = false;
    this.ac = ac;
    System.arraycopy(data, from, definition, 0, length);
    if (!ac) {
      requireDcSymbols(from);
    }
    Arrays.fill(fast, LONG_CODE_ENTRY);
    int code = 0;
    int symbol = LENGTHS;
    for (int bits = 1; bits <= LENGTHS; bits++) {
      int count = definition[bits - 1] & 0xFF;
      // No code consists of ones only (T.81, section C.2).
      if (count > 0 && code + count >= 1 << bits) {
        throw new JpegException(
            "the JPEG's header is corrupt: a Huffman table with too many codes of %d bits"
                .formatted(bits),
            from);
      }
      symbolOffset[bits] = symbol - code;
      for (int i = 0; i < count; i++, code++, symbol++) {
        if (bits <= FAST_BITS) {
          fillFast(code, bits, definition[symbol] & 0xFF);
        }
      }
      maxCode[bits] = count > 0 ? code - 1 : -1;
      code <<= 1;
    }
    definitionLength = length;
  }

  private void requireDcSymbols(int from) throws JpegException {
    int end = definitionLength(definition, 0);
    for (int i = LENGTHS; i < end; i++) {
      int symbol = definition[i] & 0xFF;
      if (symbol > MAX_DC_SYMBOL) {
        throw new JpegException(
            "the JPEG's header is corrupt: the DC Huffman table has the symbol %d, at most %d is one"
                .formatted(symbol, MAX_DC_SYMBOL),
            from + i);
      }
    }
  }

  private void fillFast(int code, int bits, int symbol) {
    int entry = entry(symbol, bits);
    int size = size(symbol);
    int rest = FAST_BITS - bits;
    int first = code << rest;
    if (size == 0 || size > rest) {
      Arrays.fill(fast, first, first + (1 << rest), entry);
      return;
    }
    for (int following = 0; following < 1 << rest; following++) {
      int extra = following >> (rest - size);
      fast[first + following] = withValue(entry, bits, size, extra);
    }
  }

  private int size(int symbol) {
    return ac ? symbol & 15 : symbol;
  }

  /** Returns a symbol's entry without value; {@link #LONG_CODE_ENTRY} for an impossible size. */
  private int entry(int symbol, int bits) {
    int size = size(symbol);
    if (size > MAX_SIZE) {
      return LONG_CODE_ENTRY;
    }
    int run = ac ? symbol >> 4 : 0;
    int advance = run + 1;
    if (ac && size == 0) {
      advance = run == ZERO_RUN ? ZERO_RUN_ADVANCE : END_OF_BLOCK;
    }
    return bits | advance << ADVANCE_SHIFT | size << SIZE_SHIFT;
  }

  /** Completes an entry with the value that the extra bits mean (T.81, section F.2.2.1, EXTEND). */
  private static int withValue(int entry, int bits, int size, int extra) {
    int value = extra + (((extra - (1 << (size - 1))) >> 31) & ((-1 << size) + 1));
    return (bits + size) | (entry & (ADVANCE_MASK << ADVANCE_SHIFT)) | value << VALUE_SHIFT;
  }

  /**
   * Completes an entry of {@link #fast}; {@code window} has the bits of the look-up, at least 30 of
   * them valid. Returns 0 if no symbol has this code.
   */
  int resolve(int incomplete, long window) {
    int entry = incomplete;
    int size = (entry >>> SIZE_SHIFT) & 15;
    if (size == LONG_CODE) {
      entry = longCode(window);
      size = (entry >>> SIZE_SHIFT) & 15;
    }
    if (size == 0) {
      return entry;
    }
    int bits = entry & LENGTH_MASK;
    return withValue(entry, bits, size, (int) ((window << bits) >>> (64 - size)));
  }

  private int longCode(long window) {
    int next = (int) (window >>> (64 - LENGTHS));
    for (int bits = 1; bits <= LENGTHS; bits++) {
      int code = next >>> (LENGTHS - bits);
      if (code <= maxCode[bits]) {
        int entry = entry(definition[code + symbolOffset[bits]] & 0xFF, bits);
        return entry == LONG_CODE_ENTRY ? 0 : entry;
      }
    }
    return 0;
  }

  /** Returns the table for decoding; its length is a power of two. */
  int[] fast() {
    return fast;
  }

  /**
   * Returns the table of an AC component for advancing without values; it is made by the first
   * call.
   *
   * <pre>
   * bits 0 to  5  number of bits to consume; 0 if no code lies within the index
   * bits 6 to 12  coefficients to advance, at most {@value #MAX_SKIP}, and {@value #END_OF_BLOCK} for EOB
   * </pre>
   */
  int[] skip() {
    if (!skipFilled) {
      Arrays.fill(skip, 0);
      fillSeveral(skip, Integer.MAX_VALUE, 0, 0, 0);
      skipFilled = true;
    }
    return skip;
  }

  /**
   * Returns a table like {@link #fast} for an AC component whose values do not matter. A complete
   * entry advances over as many symbols as possible, like an entry of {@link #skip}.
   */
  int[] several() {
    if (!severalFilled) {
      System.arraycopy(fast, 0, several, 0, fast.length);
      fillSeveral(several, MOST_SEVERAL_BITS, 0, 0, 0);
      severalFilled = true;
    }
    return several;
  }

  /**
   * Fills the entries of all indices that begin with {@code prefix} and continue with at least one
   * more symbol. The prefix consists of {@code used} bits of symbols that advance over {@code
   * advance} coefficients. No entry takes more than {@code most} bits.
   */
  private void fillSeveral(int[] table, int most, int prefix, int used, int advance) {
    int looked = Integer.numberOfTrailingZeros(table.length);
    int unused = looked - used;
    int code = 0;
    int symbol = LENGTHS;
    for (int bits = 1; bits <= unused; bits++) {
      int rest = unused - bits;
      for (int i = definition[bits - 1] & 0xFF; i > 0; i--, code++, symbol++) {
        int entry = entry(definition[symbol] & 0xFF, bits);
        int size = (entry >>> SIZE_SHIFT) & 15;
        int step = (entry >>> ADVANCE_SHIFT) & ADVANCE_MASK;
        int reached = advance + step;
        boolean end = step == END_OF_BLOCK;
        int taken = used + bits + size;
        if (size == LONG_CODE || (!end && reached > MAX_SKIP) || taken > most) {
          continue;
        }
        int codes = prefix << bits | code;
        int first = codes << rest;
        Arrays.fill(table, first, first + (1 << rest), taken | reached << ADVANCE_SHIFT);
        if (!end && taken < looked) {
          for (int extra = 0; extra < 1 << size; extra++) {
            fillSeveral(table, most, codes << size | extra, taken, reached);
          }
        }
      }
      code <<= 1;
    }
  }
}
