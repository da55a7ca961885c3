package io.feedline.formats.jpeg.coefficients.internal;

import io.feedline.formats.jpeg.internal.HuffmanTable;
import io.feedline.formats.jpeg.internal.Marker;
import java.util.Arrays;

/** A Huffman table for encoding. Immutable. */
final class HuffmanCodes {

  private static final int LENGTHS = HuffmanTable.LENGTHS;
  private static final int SYMBOLS = HuffmanTable.MAX_VALUES;

  /** The 16 counts of codes and then the symbols, as in a DHT segment. */
  private final byte[] definition;

  private final int[] codes = new int[SYMBOLS];

  /** The number of bits of each symbol's code; 0 for a symbol without a code. */
  private final int[] lengths = new int[SYMBOLS];

  private HuffmanCodes(byte[] definition) {
    this.definition = definition;
    int code = 0;
    int at = LENGTHS;
    for (int bits = 1; bits <= LENGTHS; bits++, code <<= 1) {
      for (int i = definition[bits - 1] & 0xFF; i > 0; i--, code++, at++) {
        codes[definition[at] & 0xFF] = code;
        lengths[definition[at] & 0xFF] = bits;
      }
    }
  }

  /** Returns the table, known to be valid, whose 16 counts begin at the offset. */
  static HuffmanCodes of(byte[] data, int from) {
    return new HuffmanCodes(
        Arrays.copyOfRange(data, from, from + HuffmanTable.definitionLength(data, from)));
  }

  /** Writes the table as a DHT segment; {@code number} is its number, plus 16 for an AC table. */
  void writeTo(GrowingBytes out, int number) {
    int length = 3 + definition.length;
    out.u8(0xFF);
    out.u8(Marker.DHT);
    out.u8(length >> 8);
    out.u8(length);
    out.u8(number);
    out.add(definition, 0, definition.length);
  }

  int length(int symbol) {
    return lengths[symbol];
  }

  int code(int symbol) {
    return codes[symbol];
  }
}
