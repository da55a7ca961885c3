package io.feedline.formats.jpeg.internal;

import java.util.Arrays;

/**
 * A decoder of Huffman-coded blocks, sequential and progressive. Damaged data lead to the values of
 * libjpeg's jdhuff.c and jdphuff.c.
 */
final class HuffmanScan extends ScanDecoder {

  private static final int MAX_DC_SYMBOL = 15;
  private static final int MAX_AC_SYMBOL = 255;

  /** The index in rows of 8 of each zigzag index; above 63 (corrupt data) counts as 63. */
  static final int[] NATURAL_ORDER = new int[64 + 16];

  static {
    for (int place = 0; place < NATURAL_ORDER.length; place++) {
      NATURAL_ORDER[place] = McuTables.frequency(Math.min(63, place));
    }
  }

  private final boolean progressive;
  private final ScanBits bits;
  private final SymbolTable[] dc;
  private final SymbolTable[] ac;
  private final int[] predictions;

  /** The array {@link Frame.Component#present} of each component. */
  private final long[][] present;

  /** The number of blocks, including the next block, that have no further values. */
  private int endOfBandRun;

  HuffmanScan(Segments segments, boolean progressive) throws JpegException {
    super(segments);
    this.progressive = progressive;
    this.bits = new ScanBits(segments);
    int components = scan.components().length;
    this.predictions = new int[components];
    this.dc = new SymbolTable[components];
    this.ac = new SymbolTable[components];
    this.present = new long[components][];
    boolean withDc = !progressive || (scan.from() == 0 && scan.high() == 0);
    boolean withAc = !progressive || scan.from() > 0;
    for (int c = 0; c < components; c++) {
      Frame.Component each = scan.components()[c];
      if (each.present == null) {
        each.present = new long[each.values.length / 64];
      }
      present[c] = each.present;
      if (withDc) {
        dc[c] = new SymbolTable(segments.huffmanTable(true, scan.dcTables()[c]), MAX_DC_SYMBOL);
      }
      if (withAc) {
        ac[c] = new SymbolTable(segments.huffmanTable(false, scan.acTables()[c]), MAX_AC_SYMBOL);
      }
    }
  }

  @Override
  boolean isExhausted() {
    return bits.isExhausted();
  }

  @Override
  void restart() throws JpegException {
    bits.restart();
    Arrays.fill(predictions, 0);
    endOfBandRun = 0;
  }

  @Override
  void decodeMcu() throws JpegException {
    if (progressive && scan.from() == 0 && scan.high() > 0) {
      refineDc();
    } else if (!isExhausted()) {
      if (!progressive) {
        for (int i = 0; i < blocks; i++) {
          decodeBlock(component[i], values[i], start[i]);
        }
      } else if (scan.from() == 0) {
        decodeDc();
      } else if (scan.high() == 0) {
        decodeAc(values[0], start[0]);
      } else {
        refineAc(values[0], start[0]);
      }
    }
  }

  private void decodeBlock(int c, short[] to, int at) throws JpegException {
    int size = bits.symbol(dc[c]);
    predictions[c] += size == 0 ? 0 : bits.value(size);
    to[at] = (short) predictions[c];
    SymbolTable table = ac[c];
    long mask = 0;
    for (int place = 1; place < 64; place++) {
      int symbol = bits.symbol(table);
      int run = symbol >> 4;
      if ((symbol & 15) != 0) {
        place += run;
        to[at + NATURAL_ORDER[place]] = (short) bits.value(symbol & 15);
        mask |= bit(place);
      } else if (run == 15) {
        place += 15;
      } else {
        break;
      }
    }
    present[c][at / 64] |= mask;
  }

  /** Returns the bit in a mask of a zigzag index; above 63 (corrupt data) counts as 63. */
  private static long bit(int place) {
    return 1L << Math.min(63, place);
  }

  private void decodeDc() throws JpegException {
    for (int i = 0; i < blocks; i++) {
      int c = component[i];
      int size = bits.symbol(dc[c]);
      long value = predictions[c] + (long) (size == 0 ? 0 : bits.value(size));
      if (value != (int) value) {
        throw Segments.wrong("a DC value of " + value, segments.position());
      }
      predictions[c] = (int) value;
      values[i][start[i]] = (short) (predictions[c] << scan.low());
    }
  }

  private void decodeAc(short[] to, int at) throws JpegException {
    if (endOfBandRun > 0) {
      endOfBandRun--;
      return;
    }
    for (int place = scan.from(); place <= scan.to(); place++) {
      int symbol = bits.symbol(ac[0]);
      int run = symbol >> 4;
      if ((symbol & 15) != 0) {
        place += run;
        short value = (short) (bits.value(symbol & 15) << scan.low());
        to[at + NATURAL_ORDER[place]] = value;
        long bit = bit(place);
        present[0][at / 64] = (present[0][at / 64] & ~bit) | (value == 0 ? 0 : bit);
      } else if (run == 15) {
        place += 15;
      } else {
        endOfBandRun = (1 << run) - 1 + (run == 0 ? 0 : bits.next(run));
        break;
      }
    }
  }

  private void refineDc() throws JpegException {
    for (int i = 0; i < blocks; i++) {
      if (bits.next(1) != 0) {
        values[i][start[i]] |= (short) (1 << scan.low());
      }
    }
  }

  private void refineAc(short[] to, int at) throws JpegException {
    int bit = 1 << scan.low();
    int last = scan.to();
    int place = scan.from();
    long mask = present[0][at / 64];
    if (endOfBandRun == 0) {
      for (; place <= last; place++) {
        int symbol = bits.symbol(ac[0]);
        int run = symbol >> 4;
        int value = 0;
        if ((symbol & 15) != 0) {
          value = bits.next(1) != 0 ? bit : -bit;
        } else if (run != 15) {
          endOfBandRun = (1 << run) + (run == 0 ? 0 : bits.next(run));
          break;
        }
        do {
          if (((mask >>> place) & 1) != 0) {
            refine(to, at + NATURAL_ORDER[place], bit);
          } else if (--run < 0) {
            break;
          }
          place++;
        } while (place <= last);
        if (value != 0) {
          to[at + NATURAL_ORDER[place]] = (short) value;
          mask |= bit(place);
        }
      }
      present[0][at / 64] = mask;
    }
    if (endOfBandRun > 0) {
      if (place <= last) {
        long rest = mask & (-1L << place) & (-1L >>> (63 - last));
        for (; rest != 0; rest &= rest - 1) {
          refine(to, at + NATURAL_ORDER[Long.numberOfTrailingZeros(rest)], bit);
        }
      }
      endOfBandRun--;
    }
  }

  private void refine(short[] to, int i, int bit) throws JpegException {
    if (bits.next(1) != 0 && (to[i] & bit) == 0) {
      to[i] += (short) (to[i] >= 0 ? bit : -bit);
    }
  }
}
