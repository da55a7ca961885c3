package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.LANES;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.MASK;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.NARROW;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.NARROW_DC;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.SET_HEADER;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.U16;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.WIDE_DC;

/**
 * A writer of the sets (see {@link CoefficientLayout}) of a record, each in its shortest form.
 *
 * <p>Most values of a set are 0. The values that are not 0 are found by the masks and gathered
 * once; all further steps iterate over these values only.
 */
final class SetWriter {

  private static final int PLACES = 64;
  private static final int ESCAPE = CoefficientLayout.ESCAPE;

  private static final int MOST =
      SET_HEADER + WIDE_DC + (PLACES - 1) * (MASK + LANES + LANES * ESCAPE);

  private final GrowingBytes out;

  /** The values that are not 0, from place 1 on, ordered by place and then by lane. */
  private final short[] present = new short[(PLACES - 1) * LANES];

  private final int[] begins = new int[PLACES + 1];

  /**
   * The number of values of each place that do not fit into a nibble; {@link #beyondBytes} counts
   * those that do not fit into a byte.
   */
  private final int[] beyondNibbles = new int[PLACES];

  private final int[] beyondBytes = new int[PLACES];

  SetWriter(GrowingBytes out) {
    this.out = out;
  }

  void write(QuantizedBand band, int group, int block) {
    int set = band.set(group, block);
    int first = PLACES * set;
    short[] masks = band.masks();
    int count = count(masks, first);
    gather(band.values(), masks, first, count);
    int wide = firstWithNibbles(count);
    int escapes = 0;
    for (int place = 1; place < count; place++) {
      escapes += place < wide ? beyondBytes[place] : beyondNibbles[place];
    }
    byte[] bytes = out.withRoom(MOST);
    int at = out.size() + SET_HEADER;
    boolean narrow = isNarrow(band.values(), LANES * first);
    bytes[at - SET_HEADER] = (byte) (narrow ? count | NARROW : count);
    bytes[at - SET_HEADER + 1] = (byte) wide;
    U16.set(bytes, at - SET_HEADER + 2, (short) escapes);
    at = writeDc(band.values(), LANES * first, narrow, bytes, at);
    for (int place = 1; place < count; place++, at += MASK) {
      U16.set(bytes, at, masks[first + place]);
    }
    for (int i = 0; i < begins[wide]; i++) {
      bytes[at++] = (byte) present[i];
    }
    for (int place = wide; place < count; place++) {
      at = writeNibbles(begins[place], begins[place + 1], bytes, at);
    }
    if (escapes > 0) {
      at = writeEscapes(masks, first, count, wide, bytes, at);
    }
    out.skipTo(at);
  }

  private static int count(short[] masks, int first) {
    int count = PLACES;
    while (count > 1 && masks[first + count - 1] == 0) {
      count--;
    }
    return count;
  }

  private void gather(short[] values, short[] masks, int first, int count) {
    int next = 0;
    for (int place = 1; place < count; place++) {
      int from = LANES * (first + place);
      int nibbles = 0;
      int wides = 0;
      begins[place] = next;
      for (int mask = masks[first + place] & 0xFFFF; mask != 0; mask &= mask - 1) {
        int value = values[from + Integer.numberOfTrailingZeros(mask)];
        present[next++] = (short) value;
        nibbles += isBeyond(value, 8);
        wides += isBeyond(value, 128);
      }
      beyondNibbles[place] = nibbles;
      beyondBytes[place] = wides;
    }
    begins[count] = next;
  }

  /** Returns 0 for a value from {@code -limit} to {@code limit - 1}, otherwise 1. */
  private static int isBeyond(int value, int limit) {
    int above = (value + limit) & -(2 * limit);
    return (above | -above) >>> 31;
  }

  /** Returns the first place with nibbles, so that values and escapes take the fewest bytes. */
  private int firstWithNibbles(int count) {
    int more = 0;
    int fewest = 0;
    int best = 1;
    for (int place = 1; place < count; place++) {
      int values = begins[place + 1] - begins[place];
      more += values - (values + 1) / 2 + ESCAPE * (beyondBytes[place] - beyondNibbles[place]);
      if (more < fewest) {
        fewest = more;
        best = place + 1;
      }
    }
    return best;
  }

  private static int least(short[] values, int from) {
    int least = values[from];
    for (int lane = 1; lane < LANES; lane++) {
      least = Math.min(least, values[from + lane]);
    }
    return least;
  }

  private static int base(short[] values, int from) {
    return least(values, from) - Byte.MIN_VALUE;
  }

  private static boolean isNarrow(short[] values, int from) {
    int base = base(values, from);
    int most = values[from];
    for (int lane = 1; lane < LANES; lane++) {
      most = Math.max(most, values[from + lane]);
    }
    return most - base <= Byte.MAX_VALUE && base <= Short.MAX_VALUE;
  }

  private static int writeDc(short[] values, int from, boolean narrow, byte[] bytes, int at) {
    if (!narrow) {
      for (int lane = 0; lane < LANES; lane++) {
        U16.set(bytes, at + 2 * lane, values[from + lane]);
      }
      return at + WIDE_DC;
    }
    int base = base(values, from);
    U16.set(bytes, at, (short) base);
    for (int lane = 0; lane < LANES; lane++) {
      bytes[at + 2 + lane] = (byte) (values[from + lane] - base);
    }
    return at + NARROW_DC;
  }

  private int writeNibbles(int from, int to, byte[] bytes, int at) {
    int next = at;
    int i = from;
    for (; i + 1 < to; i += 2) {
      bytes[next++] = (byte) ((present[i] & 15) | (present[i + 1] << 4));
    }
    if (i < to) {
      bytes[next++] = (byte) (present[i] & 15);
    }
    return next;
  }

  private int writeEscapes(short[] masks, int first, int count, int wide, byte[] bytes, int at) {
    int next = at;
    for (int place = 1; place < count; place++) {
      if ((place < wide ? beyondBytes[place] : beyondNibbles[place]) == 0) {
        continue;
      }
      int i = begins[place];
      for (int mask = masks[first + place] & 0xFFFF; mask != 0; mask &= mask - 1, i++) {
        if (isBeyond(present[i], place < wide ? 128 : 8) != 0) {
          U16.set(bytes, next, (short) (LANES * place + Integer.numberOfTrailingZeros(mask)));
          U16.set(bytes, next + 2, present[i]);
          next += ESCAPE;
        }
      }
    }
    return next;
  }
}
