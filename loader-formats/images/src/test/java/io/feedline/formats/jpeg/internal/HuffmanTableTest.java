package io.feedline.formats.jpeg.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the prepared tables with the procedure of ITU-T T.81, F.2.2.3, bit by bit. */
class HuffmanTableTest {

  /** The textbook's reading of some bits; length 0 if they are no code. */
  private record Symbol(int length, int advance, int value) {}

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldDecodeSymbolsAsTheStandardSays(boolean ac) throws Exception {
    Random random = new Random(ac ? 1 : 2);
    HuffmanTable table = new HuffmanTable();
    for (int i = 0; i < 200; i++) {
      byte[] definition = definition(random, ac);
      table.fill(definition, 0, definition.length, ac);
      for (int j = 0; j < 2000; j++) {
        long window = random.nextLong();
        int entry = table.fast()[(int) (window >>> HuffmanTable.FAST_SHIFT)];
        if ((entry & HuffmanTable.INCOMPLETE) != 0) {
          entry = table.resolve(entry, window);
        }
        Symbol expected = symbol(definition, window, ac);
        if (expected.length() == 0) {
          assertThat(entry).isZero();
        } else {
          assertThat(new Symbol(entry & 31, (entry >>> 6) & 127, entry >> 17)).isEqualTo(expected);
          assertThat(entry & (HuffmanTable.INCOMPLETE | 1 << 5)).isZero();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 17, 255})
  void shouldRefuseADcSymbolThatLibjpegRefuses(int symbol) {
    byte[] definition = new byte[18];
    definition[1] = 2;
    definition[17] = (byte) symbol;
    assertThatThrownBy(() -> new HuffmanTable().fill(definition, 0, 18, false))
        .isInstanceOf(JpegException.class)
        .hasMessageContaining("symbol " + symbol);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 7})
  void shouldRefuseACodeOfOnesOnly(int length) throws Exception {
    byte[] definition = new byte[16 + (1 << length)];
    definition[length - 1] = (byte) (1 << length);
    assertThatThrownBy(() -> new HuffmanTable().fill(definition, 0, definition.length, true))
        .isInstanceOf(JpegException.class)
        .hasMessageContaining("too many codes of %d bits", length);

    definition[length - 1]--;
    new HuffmanTable().fill(definition, 0, definition.length - 1, true);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void shouldSkipOrTakeSeveralSymbolsOfFewBitsAndLeaveOthersAsTheyAre(int seed) throws Exception {
    Random random = new Random(seed);
    HuffmanTable table = new HuffmanTable();
    int some = 0;
    for (int i = 0; i < 20; i++) {
      byte[] definition = definition(random, true);
      table.fill(definition, 0, definition.length, true);
      for (int index = 0; index < 1 << HuffmanTable.SKIP_BITS; index++) {
        long window = (long) index << HuffmanTable.SKIP_SHIFT;
        assertThat(table.skip()[index]).isEqualTo(several(definition, window, table.skip()[index]));
      }
      for (int index = 0; index < 1 << HuffmanTable.FAST_BITS; index++) {
        int entry = table.several()[index];
        long window = (long) index << HuffmanTable.FAST_SHIFT;
        Symbol first = symbol(definition, window, true);
        if ((entry & HuffmanTable.INCOMPLETE) != 0) {
          assertThat(entry).isEqualTo(table.fast()[index]);
          continue;
        }
        assertThat(entry).isEqualTo(several(definition, window, entry));
        assertThat(entry & HuffmanTable.LENGTH_MASK).isBetween(first.length(), 13);
        some += (entry & HuffmanTable.LENGTH_MASK) > first.length() ? 1 : 0;
      }
    }
    assertThat(some).isPositive();
  }

  /** The entry of the symbols in as many bits as an entry takes. */
  private static int several(byte[] definition, long window, int entry) {
    int length = 0;
    int advance = 0;
    boolean end = false;
    while (length < (entry & HuffmanTable.LENGTH_MASK)) {
      // Bits beyond those looked up are values, whatever they are.
      Symbol symbol = symbol(definition, window << length, true);
      assertThat(symbol.length()).isPositive();
      assertThat(end).isFalse();
      length += symbol.length();
      end = symbol.advance() == 64;
      advance += end ? 0 : symbol.advance();
    }
    assertThat(advance).isLessThan(64);
    return length | (end ? 64 + advance : advance) << 6;
  }

  /** A table that leaves some codes unused. */
  private static byte[] definition(Random random, boolean ac) {
    int[] counts = new int[17];
    int free = 1;
    int total = 0;
    for (int length = 1; length <= 16; length++) {
      free *= 2;
      int most = Math.min(free - 1, 256 - total);
      counts[length] = random.nextInt(Math.max(1, Math.min(most + 1, 1 + length * 3)));
      free -= counts[length];
      total += counts[length];
    }
    byte[] definition = new byte[16 + total];
    for (int length = 1; length <= 16; length++) {
      definition[length - 1] = (byte) counts[length];
    }
    for (int i = 0; i < total; i++) {
      definition[16 + i] = (byte) (ac ? random.nextInt(256) : random.nextInt(16));
    }
    return definition;
  }

  private static Symbol symbol(byte[] definition, long window, boolean ac) {
    int code = 0;
    int first = 0;
    int at = 16;
    for (int length = 1; length <= 16; length++) {
      code = code << 1 | (int) ((window >>> (64 - length)) & 1);
      int count = definition[length - 1] & 0xFF;
      if (code - first < count) {
        return symbol(definition[at + code - first] & 0xFF, length, window << length, ac);
      }
      at += count;
      first = (first + count) << 1;
    }
    return new Symbol(0, 0, 0);
  }

  private static Symbol symbol(int symbol, int length, long rest, boolean ac) {
    int run = ac ? symbol >> 4 : 0;
    int size = ac ? symbol & 15 : symbol;
    if (size > 14) {
      return new Symbol(0, 0, 0);
    }
    int advance = run + 1;
    if (ac && size == 0) {
      advance = run == 15 ? 16 : 64;
    }
    int value = 0;
    for (int i = 0; i < size; i++) {
      value = value << 1 | (int) ((rest >>> (63 - i)) & 1);
    }
    if (size > 0 && value < 1 << (size - 1)) {
      value += 1 - (1 << size);
    }
    return new Symbol(length + size, advance, value);
  }
}
