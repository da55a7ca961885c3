package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.LANES;

import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.McuGrid;
import java.util.Arrays;

/**
 * Turns the coefficients of an image into the symbols of Huffman coding (ITU-T T.81, F.1.2), which
 * a sink counts or writes.
 */
final class EntropyCoder {

  /** The most bits of a value that {@code EntropyDecoder} reads; T.81 needs 11. */
  private static final int MAX_SIZE = 14;

  private static final int ZERO_RUN = 0xF0;
  private static final int MAX_RUN = 15;

  interface Sink {
    /**
     * Takes a symbol of the component's DC or AC table, and the lowest {@code symbol & 15} bits of
     * {@code extra}.
     */
    void symbol(int component, boolean dc, int symbol, int extra) throws JpegException;

    /** Ends a restart interval; {@code number} counts them from 0. */
    default void restart(int number) {}
  }

  private EntropyCoder() {}

  static void code(CoefficientRecord record, Sink sink) throws JpegException {
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
            sink.restart(mcu / header.restartInterval() - 1);
            Arrays.fill(predictions, 0);
          }
          for (int block = 0; block < grid.sampling().blocksPerMcu(); block++) {
            int component = grid.sampling().componentOf(block);
            int at = band.at(row, column, block);
            int dc = band.values()[at];
            int difference = dc - predictions[component];
            predictions[component] = dc;
            sink.symbol(component, true, size(difference, mcu), extra(difference));
            codeAc(band.values(), at, component, mcu, sink);
          }
        }
      }
    }
  }

  private static void codeAc(short[] values, int at, int component, int mcu, Sink sink)
      throws JpegException {
    int run = 0;
    for (int place = 1; place < 64; place++) {
      int value = values[at + LANES * place];
      if (value == 0) {
        run++;
        continue;
      }
      for (; run > MAX_RUN; run -= MAX_RUN + 1) {
        sink.symbol(component, false, ZERO_RUN, 0);
      }
      sink.symbol(component, false, run << 4 | size(value, mcu), extra(value));
      run = 0;
    }
    if (run > 0) {
      sink.symbol(component, false, 0, 0);
    }
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

  /** Negative values are written less 1 (F.1.2.1). */
  private static int extra(int value) {
    return value < 0 ? value - 1 : value;
  }
}
