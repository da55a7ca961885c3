package io.feedline.formats.jpeg.internal;

import java.util.Arrays;

/**
 * A decoder of blocks in arithmetic coding (T.81, sections F.2.4 and G.2), sequential and
 * progressive, as in libjpeg (jdarith.c). Impossible values end the restart interval.
 */
final class ArithmeticScan extends ScanDecoder {

  private static final int TABLES = 16;
  private static final int DC_BINS = 64;
  private static final int AC_BINS = 256;

  /** The first bins of a magnitude's size, for DC and for AC (T.81, tables F.4 and F.5). */
  private static final int DC_MAGNITUDES = 20;

  private static final int AC_LOW_MAGNITUDES = 189;
  private static final int AC_HIGH_MAGNITUDES = 217;

  /** The distance from a bin for a magnitude's size to the bin for the magnitude's bits. */
  private static final int TO_PATTERN = 14;

  private static final int TOO_LARGE = 0x8000;

  private final boolean progressive;
  private final ArithmeticBits bits;
  private final byte[][] dcStates = new byte[TABLES][DC_BINS];
  private final byte[][] acStates = new byte[TABLES][AC_BINS];
  private final byte[] even = {ArithmeticBits.EVEN};
  private final int[] predictions;

  /** The first bin for each component's next DC difference, chosen by the last difference. */
  private final int[] contexts;

  private boolean damaged;

  ArithmeticScan(Segments segments, boolean progressive) {
    super(segments);
    this.progressive = progressive;
    this.bits = new ArithmeticBits(segments);
    this.predictions = new int[scan.components().length];
    this.contexts = new int[predictions.length];
  }

  @Override
  boolean isExhausted() {
    return false;
  }

  @Override
  void restart() throws JpegException {
    bits.restart();
    damaged = false;
    for (int c = 0; c < predictions.length; c++) {
      if (!progressive || (scan.from() == 0 && scan.high() == 0)) {
        Arrays.fill(dcStates[scan.dcTables()[c]], (byte) 0);
        predictions[c] = 0;
        contexts[c] = 0;
      }
      if (!progressive || scan.from() > 0) {
        Arrays.fill(acStates[scan.acTables()[c]], (byte) 0);
      }
    }
  }

  @Override
  void decodeMcu() throws JpegException {
    if (progressive && scan.from() == 0 && scan.high() > 0) {
      for (int i = 0; i < blocks; i++) {
        if (bits.next(even, 0) != 0) {
          values[i][start[i]] |= (short) (1 << scan.low());
        }
      }
      return;
    }
    for (int i = 0; i < blocks && !damaged; i++) {
      if (!progressive) {
        decodeDc(i, 0);
        decodeAc(i, 1, 63, 0);
      } else if (scan.from() == 0) {
        decodeDc(i, scan.low());
      } else if (scan.high() == 0) {
        decodeAc(i, scan.from(), scan.to(), scan.low());
      } else {
        refineAc(values[0], start[0]);
      }
    }
  }

  private void decodeDc(int block, int low) throws JpegException {
    int c = component[block];
    int table = scan.dcTables()[c];
    byte[] states = dcStates[table];
    int bin = contexts[c];
    if (bits.next(states, bin) == 0) {
      contexts[c] = 0;
    } else {
      int sign = bits.next(states, bin + 1);
      bin += 2 + sign;
      int size = bits.next(states, bin);
      if (size != 0) {
        bin = DC_MAGNITUDES;
        while (bits.next(states, bin) != 0) {
          size <<= 1;
          if (size == TOO_LARGE) {
            damaged = true;
            return;
          }
          bin++;
        }
      }
      if (size < (1 << segments.dcLower[table]) >> 1) {
        contexts[c] = 0;
      } else if (size > (1 << segments.dcUpper[table]) >> 1) {
        contexts[c] = 12 + 4 * sign;
      } else {
        contexts[c] = 4 + 4 * sign;
      }
      predictions[c] = (predictions[c] + magnitude(states, bin, size, sign)) & 0xFFFF;
    }
    values[block][start[block]] = (short) (predictions[c] << low);
  }

  private int magnitude(byte[] states, int bin, int size, int sign) throws JpegException {
    int value = size;
    for (int bit = size >> 1; bit > 0; bit >>= 1) {
      if (bits.next(states, bin + TO_PATTERN) != 0) {
        value |= bit;
      }
    }
    return sign == 0 ? value + 1 : -value - 1;
  }

  private void decodeAc(int block, int from, int to, int low) throws JpegException {
    if (damaged) {
      return;
    }
    int table = scan.acTables()[component[block]];
    byte[] states = acStates[table];
    for (int place = from; place <= to; place++) {
      int bin = 3 * (place - 1);
      if (bits.next(states, bin) != 0) {
        break;
      }
      while (bits.next(states, bin + 1) == 0) {
        bin += 3;
        place++;
        if (place > to) {
          damaged = true;
          return;
        }
      }
      int sign = bits.next(even, 0);
      bin += 2;
      int size = bits.next(states, bin);
      if (size != 0 && bits.next(states, bin) != 0) {
        size <<= 1;
        bin = place <= segments.acThresholds[table] ? AC_LOW_MAGNITUDES : AC_HIGH_MAGNITUDES;
        while (bits.next(states, bin) != 0) {
          size <<= 1;
          if (size == TOO_LARGE) {
            damaged = true;
            return;
          }
          bin++;
        }
      }
      values[block][start[block] + McuTables.frequency(place)] =
          (short) (magnitude(states, bin, size, sign) << low);
    }
  }

  private void refineAc(short[] to, int at) throws JpegException {
    byte[] states = acStates[scan.acTables()[0]];
    int bit = 1 << scan.low();
    int last = scan.to();
    while (last > 0 && to[at + McuTables.frequency(last)] == 0) {
      last--;
    }
    for (int place = scan.from(); place <= scan.to(); place++) {
      int bin = 3 * (place - 1);
      if (place > last && bits.next(states, bin) != 0) {
        break;
      }
      while (true) {
        int i = at + McuTables.frequency(place);
        if (to[i] != 0) {
          if (bits.next(states, bin + 2) != 0) {
            to[i] += (short) (to[i] < 0 ? -bit : bit);
          }
          break;
        }
        if (bits.next(states, bin + 1) != 0) {
          to[i] = (short) (bits.next(even, 0) != 0 ? -bit : bit);
          break;
        }
        bin += 3;
        place++;
        if (place > scan.to()) {
          damaged = true;
          return;
        }
      }
    }
  }
}
