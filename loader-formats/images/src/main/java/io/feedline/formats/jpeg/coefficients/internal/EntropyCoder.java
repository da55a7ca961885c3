package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.LANES;

import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.Marker;
import io.feedline.formats.jpeg.internal.McuGrid;
import java.util.Arrays;

/** A writer of an image's coefficients in Huffman coding (ITU-T T.81, section F.1.2). */
final class EntropyCoder {

  /** The number of bits that a value may have, as in {@code EntropyDecoder}; T.81 needs 11. */
  private static final int MAX_SIZE = 14;

  private static final int ZERO_RUN = 0xF0;
  private static final int MAX_RUN = 15;

  private final HuffmanCodes[] dc;
  private final HuffmanCodes[] ac;
  private final GrowingBytes out;
  private long bits;
  private int count;
  private int lacking = -1;

  /** Creates a coder; the tables are ordered by component. */
  EntropyCoder(HuffmanCodes[] dc, HuffmanCodes[] ac, GrowingBytes out) {
    this.dc = dc;
    this.ac = ac;
    this.out = out;
  }

  /** Returns the last symbol that had no code and was left out; -1 if each symbol had a code. */
  int lacking() {
    return lacking;
  }

  void write(CoefficientRecord record) throws JpegException {
    JpegImage header = record.header();
    McuGrid grid = header.grid();
    QuantizedBand band = new QuantizedBand(grid);
    int[] predictions = new int[3];
    int mcu = 0;
    for (int b = 0; b < record.bands(); b++) {
      band.read(record, b);
      for (int row = 0; row < band.rows(b); row++) {
        for (int column = 0; column < grid.columns(); column++, mcu++) {
          if (header.restartInterval() > 0 && mcu > 0 && mcu % header.restartInterval() == 0) {
            pad();
            out.u8(0xFF);
            out.u8(Marker.RST0 + (mcu / header.restartInterval() - 1) % 8);
            Arrays.fill(predictions, 0);
          }
          for (int block = 0; block < grid.sampling().blocksPerMcu(); block++) {
            int component = grid.sampling().componentOf(block);
            int at = band.at(row, column, block);
            int difference = band.values()[at] - predictions[component];
            predictions[component] = band.values()[at];
            symbol(dc[component], size(difference, mcu), extra(difference));
            writeAc(band.values(), at, ac[component], mcu);
          }
        }
      }
    }
    pad();
  }

  private void writeAc(short[] values, int at, HuffmanCodes codes, int mcu) throws JpegException {
    int run = 0;
    for (int place = 1; place < 64; place++) {
      int value = values[at + LANES * place];
      if (value == 0) {
        run++;
        continue;
      }
      for (; run > MAX_RUN; run -= MAX_RUN + 1) {
        symbol(codes, ZERO_RUN, 0);
      }
      symbol(codes, run << 4 | size(value, mcu), extra(value));
      run = 0;
    }
    if (run > 0) {
      symbol(codes, 0, 0);
    }
  }

  /** Writes a symbol, and the lowest {@code symbol & 15} bits of {@code extra}. */
  private void symbol(HuffmanCodes codes, int symbol, int extra) {
    if (codes.length(symbol) == 0) {
      lacking = symbol;
    }
    put(codes.code(symbol), codes.length(symbol));
    put(extra, symbol & 15);
  }

  private void put(int value, int length) {
    bits = bits << length | (value & ((1 << length) - 1));
    count += length;
    while (count >= 8) {
      count -= 8;
      int next = (int) (bits >> count) & 0xFF;
      out.u8(next);
      if (next == 0xFF) {
        out.u8(0);
      }
    }
  }

  private void pad() {
    put(0x7F, (8 - count) % 8);
  }

  private static int size(int value, int mcu) throws JpegException {
    int size = 32 - Integer.numberOfLeadingZeros(Math.abs(value));
    if (size > MAX_SIZE) {
      throw new JpegException(
          "the coefficient record cannot be written as a JPEG: MCU %d has the value %d, and a JPEG has at most %d bits"
              .formatted(mcu, value, MAX_SIZE));
    }
    return size;
  }

  /** Returns the bits of a value; if negative, of the value minus 1 (T.81, section F.1.2.1). */
  private static int extra(int value) {
    return value < 0 ? value - 1 : value;
  }
}
