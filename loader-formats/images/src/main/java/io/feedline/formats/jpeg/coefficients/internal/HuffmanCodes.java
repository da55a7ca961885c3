package io.feedline.formats.jpeg.coefficients.internal;

import io.feedline.formats.jpeg.internal.HuffmanTable;
import io.feedline.formats.jpeg.internal.Marker;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A Huffman table for writing: a JPEG's table, or the best table for certain symbols. Immutable.
 */
final class HuffmanCodes {

  private static final int LENGTHS = HuffmanTable.LENGTHS;
  private static final int SYMBOLS = HuffmanTable.MAX_VALUES;

  /** The 16 counts and then the symbols, as in a DHT segment. */
  private final byte[] definition;

  private final int[] codes = new int[SYMBOLS];

  /** The bits of each code; 0 for a symbol without a code. */
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

  /** Returns the table whose 16 counts are at the offset; it has been checked. */
  static HuffmanCodes of(byte[] data, int from) {
    return new HuffmanCodes(
        Arrays.copyOfRange(data, from, from + HuffmanTable.definitionLength(data, from)));
  }

  /**
   * Returns the best table (T.81, K.2) for the occurrences of each symbol; a symbol with 0 gets no
   * code.
   */
  static HuffmanCodes best(long[] occurrences) {
    int[] counts = limited(codesOfLength(occurrences));
    byte[] definition = new byte[LENGTHS + Arrays.stream(counts).sum()];
    for (int bits = 1; bits <= LENGTHS; bits++) {
      definition[bits - 1] = (byte) counts[bits];
    }
    // Only the order of the symbols matters, not their depth in the tree.
    Integer[] symbols =
        IntStream.range(0, SYMBOLS)
            .filter(symbol -> occurrences[symbol] > 0)
            .boxed()
            .sorted((a, b) -> Long.compare(occurrences[b], occurrences[a]))
            .toArray(Integer[]::new);
    for (int i = 0; i < symbols.length; i++) {
      definition[LENGTHS + i] = (byte) (int) symbols[i];
    }
    return new HuffmanCodes(definition);
  }

  /**
   * The number of codes of each length in a tree without a limit, without the code of 1 bits only.
   */
  private static int[] codesOfLength(long[] occurrences) {
    // An extra symbol, which occurs less than any other, gets the code of 1 bits only.
    long[] weights = Arrays.copyOf(occurrences, SYMBOLS + 1);
    weights[SYMBOLS] = 1;
    int[] depth = new int[SYMBOLS + 1];
    int[] next = new int[SYMBOLS + 1];
    Arrays.fill(next, -1);
    while (true) {
      int rarest = rarest(weights, -1);
      int second = rarest(weights, rarest);
      if (second < 0) {
        break;
      }
      weights[rarest] += weights[second];
      weights[second] = 0;
      int last = deepen(rarest, depth, next);
      next[last] = second;
      deepen(second, depth, next);
    }
    int[] counts = new int[SYMBOLS + 1];
    for (int d : depth) {
      counts[d]++;
    }
    counts[0] = 0;
    return counts;
  }

  /** The symbol with the least weight, the highest of several; -1 if absent. */
  private static int rarest(long[] weights, int besides) {
    int found = -1;
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] > 0 && i != besides && (found < 0 || weights[i] <= weights[found])) {
        found = i;
      }
    }
    return found;
  }

  /** Moves all symbols of a chain a level down; returns the last one. */
  private static int deepen(int first, int[] depth, int[] next) {
    int at = first;
    depth[at]++;
    while (next[at] >= 0) {
      at = next[at];
      depth[at]++;
    }
    return at;
  }

  /** Shortens codes of more than 16 bits, and removes the code of 1 bits only (figure K.3). */
  private static int[] limited(int[] counts) {
    for (int bits = counts.length - 1; bits > LENGTHS; bits--) {
      while (counts[bits] > 0) {
        int shorter = bits - 2;
        while (counts[shorter] == 0) {
          shorter--;
        }
        counts[bits] -= 2;
        counts[bits - 1]++;
        counts[shorter + 1] += 2;
        counts[shorter]--;
      }
    }
    int longest = LENGTHS;
    while (counts[longest] == 0) {
      longest--;
    }
    counts[longest]--;
    return Arrays.copyOf(counts, LENGTHS + 1);
  }

  /** Writes the DHT segment that defines the table by a number, of which 16 stands for AC. */
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
