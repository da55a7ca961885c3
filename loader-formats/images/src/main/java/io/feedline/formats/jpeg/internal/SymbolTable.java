package io.feedline.formats.jpeg.internal;

import java.util.Arrays;

/**
 * A Huffman table for decoding one symbol at a time. Unlike with {@link HuffmanTable}, decoding
 * continues after bits that are not a code.
 */
final class SymbolTable {

  static final int LOOKED_AT = 8;

  /** A length that no code has, at which the search for a code ends. */
  static final int NO_CODE = 17;

  /**
   * The symbols of the codes of at most 8 bits, indexed by the next 8 bits. An element is the
   * code's length shifted left by 8, plus the symbol; 0 if the code is longer.
   */
  final short[] lookup = new short[1 << LOOKED_AT];

  private final byte[] definition;

  /** The largest code of each length; -1 if no code has the length. */
  private final int[] maxCode = new int[NO_CODE + 1];

  private final int[] symbolOffset = new int[NO_CODE + 1];

  SymbolTable(byte[] definition, int mostSymbol) throws JpegException {
    this.definition = definition;
    int symbol = HuffmanTable.LENGTHS;
    int code = 0;
    for (int bits = 1; bits <= HuffmanTable.LENGTHS; bits++) {
      int count = definition[bits - 1] & 0xFF;
      // No code consists of ones only (T.81, section C.2).
      if (count > 0 && code + count >= 1 << bits) {
        throw new JpegException(
            "the JPEG is damaged: a Huffman table with too many codes of %d bits".formatted(bits));
      }
      symbolOffset[bits] = symbol - code;
      for (int i = 0; i < count; i++, code++, symbol++) {
        int value = definition[symbol] & 0xFF;
        if (value > mostSymbol) {
          throw new JpegException(
              "the JPEG is damaged: a DC Huffman table with the symbol %d".formatted(value));
        }
        int rest = LOOKED_AT - bits;
        if (rest >= 0) {
          int first = code << rest;
          Arrays.fill(lookup, first, first + (1 << rest), (short) (bits << 8 | value));
        }
      }
      maxCode[bits] = count > 0 ? code - 1 : -1;
      code <<= 1;
    }
    maxCode[NO_CODE] = Integer.MAX_VALUE;
  }

  /** Returns whether the bits are a whole code; true, too, for more bits than any code has. */
  boolean isCode(int code, int length) {
    return code <= maxCode[length];
  }

  int symbol(int code, int length) {
    return definition[(code + symbolOffset[length])] & 0xFF;
  }
}
