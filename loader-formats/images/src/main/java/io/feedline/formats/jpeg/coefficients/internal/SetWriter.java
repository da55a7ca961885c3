package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.LANES;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.NARROW;

import java.util.Arrays;

/**
 * Writes the sets of a coefficient record: chooses for each what takes the fewest bytes. {@link
 * CoefficientLayout} has the layout.
 */
final class SetWriter {

  private static final int ESCAPE = CoefficientLayout.ESCAPE;

  private final GrowingBytes out;
  private final short[][] lanes = new short[LANES][64];

  /** For each place, which lanes have a value. */
  private final int[] masks = new int[64];

  SetWriter(GrowingBytes out) {
    this.out = out;
  }

  /** The 64 values of a lane, in zigzag order, to be set before {@link #write}. */
  short[] lane(int lane) {
    return lanes[lane];
  }

  /** Writes the lanes as a set. */
  void write() {
    findValues();
    int count = count();
    int wide = firstWithNibbles(count);
    int escapes = 0;
    for (int place = 1; place < count; place++) {
      escapes += escapes(place, place < wide);
    }
    int least = Integer.MAX_VALUE;
    int most = Integer.MIN_VALUE;
    for (short[] lane : lanes) {
      least = Math.min(least, lane[0]);
      most = Math.max(most, lane[0]);
    }
    int base = least - Byte.MIN_VALUE;
    boolean narrow = most - base <= Byte.MAX_VALUE && base <= Short.MAX_VALUE;
    out.u8(narrow ? count | NARROW : count);
    out.u8(wide);
    out.u16(escapes);
    writeDc(narrow, base);
    for (int place = 1; place < count; place++) {
      out.u16(masks[place]);
    }
    for (int place = 1; place < wide; place++) {
      writeBytes(place);
    }
    for (int place = wide; place < count; place++) {
      writeNibbles(place);
    }
    for (int place = 1; place < count; place++) {
      writeEscapes(place, place < wide);
    }
  }

  private int count() {
    for (int count = 64; count > 1; count--) {
      if (masks[count - 1] != 0) {
        return count;
      }
    }
    return 1;
  }

  private void findValues() {
    Arrays.fill(masks, 0);
    for (int lane = 0; lane < LANES; lane++) {
      for (int place = 0; place < 64; place++) {
        masks[place] |= lanes[lane][place] == 0 ? 0 : 1 << lane;
      }
    }
  }

  /** The first place with nibbles, so that values and escapes take the fewest bytes. */
  private int firstWithNibbles(int count) {
    int bytes = 0;
    for (int place = 1; place < count; place++) {
      bytes += bytes(place, false);
    }
    int fewest = bytes;
    int best = 1;
    for (int place = 1; place < count; place++) {
      bytes += bytes(place, true) - bytes(place, false);
      if (bytes < fewest) {
        fewest = bytes;
        best = place + 1;
      }
    }
    return best;
  }

  private int bytes(int place, boolean wide) {
    int values = Integer.bitCount(masks[place]);
    return (wide ? values : (values + 1) / 2) + ESCAPE * escapes(place, wide);
  }

  private int escapes(int place, boolean wide) {
    int escapes = 0;
    for (short[] lane : lanes) {
      escapes += fits(lane[place], wide) ? 0 : 1;
    }
    return escapes;
  }

  private static boolean fits(int value, boolean wide) {
    return wide ? value == (byte) value : value >= -8 && value <= 7;
  }

  private void writeDc(boolean narrow, int base) {
    if (narrow) {
      out.u16(base);
    }
    for (short[] lane : lanes) {
      if (narrow) {
        out.u8(lane[0] - base);
      } else {
        out.u16(lane[0]);
      }
    }
  }

  private void writeBytes(int place) {
    for (short[] lane : lanes) {
      if (lane[place] != 0) {
        out.u8(lane[place]);
      }
    }
  }

  private void writeNibbles(int place) {
    int values = 0;
    int lower = 0;
    for (short[] lane : lanes) {
      if (lane[place] == 0) {
        continue;
      }
      if (values % 2 == 0) {
        lower = lane[place] & 15;
      } else {
        out.u8(lower | lane[place] << 4);
      }
      values++;
    }
    if (values % 2 == 1) {
      out.u8(lower);
    }
  }

  private void writeEscapes(int place, boolean wide) {
    for (int lane = 0; lane < LANES; lane++) {
      int value = lanes[lane][place];
      if (!fits(value, wide)) {
        out.u16(LANES * place + lane);
        out.u16(value);
      }
    }
  }
}
