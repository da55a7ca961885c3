package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.COLUMNS;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.LANES;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.REACH;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.ROWS;

import io.feedline.formats.jpeg.internal.Coefficients;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.McuGrid;
import io.feedline.formats.jpeg.internal.McuTables;
import java.util.Arrays;

/**
 * The coefficients of a band of an image as a JPEG has them: quantized, in zigzag order, block
 * after block. On the way from a JPEG to a record and back, never when training: so it is simple
 * rather than fast.
 */
final class QuantizedBand {

  private final McuGrid grid;
  private final int blocksPerMcu;
  private final short[] values;
  private final int[] ends;

  QuantizedBand(McuGrid grid) {
    this.grid = grid;
    this.blocksPerMcu = grid.sampling().blocksPerMcu();
    this.values = new short[Math.multiplyExact(64 * blocksPerMcu * ROWS, grid.columns())];
    this.ends = new int[CoefficientLayout.groups(grid) + 1];
  }

  /** The values; {@link #at} says where a block's begin. */
  short[] values() {
    return values;
  }

  /**
   * Returns the place of a block's 64 values.
   *
   * @param row of MCUs in the band, 0 to {@link CoefficientLayout#ROWS} - 1
   * @param column of MCUs
   * @param block of the MCU
   */
  int at(int row, int column, int block) {
    return 64 * (blocksPerMcu * (row * grid.columns() + column) + block);
  }

  void clear() {
    Arrays.fill(values, (short) 0);
  }

  /** The number of rows of MCUs in a band; the last one may lack some. */
  int rows(int band) {
    return Math.min(ROWS, grid.rows() - band * ROWS);
  }

  /**
   * Takes MCUs from a batch.
   *
   * @param row of MCUs in the band
   * @param column of the first MCU
   * @param count how many, to the right of it
   * @param slot of the first MCU in the batch
   */
  void put(Coefficients batch, int row, int column, int count, int slot) {
    int[] from = batch.values();
    for (int i = 0; i < count; i++) {
      for (int block = 0; block < blocksPerMcu; block++) {
        int to = at(row, column + i, block);
        int in = block * batch.mcusPerBatch() + slot + i;
        for (int place = 0; place < 64; place++) {
          int frequency = McuTables.frequency(place);
          values[to + place] = (short) from[frequency * Coefficients.BLOCKS + in];
        }
      }
    }
  }

  /**
   * Reads a band of a record.
   *
   * @throws JpegException if it is damaged
   */
  void read(CoefficientRecord record, int band) throws JpegException {
    record.openBand(band, record.data(), ends);
    long[] places = new long[64];
    int[] ones = new int[64];
    Arrays.fill(ones, 1);
    McuTables.fillPlaces(places, ones);
    SetKernels kernels = new PlainSetKernels();
    Coefficients group = new Coefficients();
    group.begin(LANES);
    for (int g = 0; g < record.groups(); g++) {
      byte[] bytes = Arrays.copyOfRange(record.data(), ends[g], ends[g + 1] + REACH);
      int end = ends[g + 1] - ends[g];
      int at = 0;
      for (int block = 0; block < blocksPerMcu && at != SetKernels.INVALID && at < end; block++) {
        at = kernels.read(bytes, at, end, group.values(), block * LANES, places);
      }
      if (at != end) {
        throw new JpegException(
            "the coefficient record is damaged: the sets of group %d of band %d do not end where it does"
                .formatted(g, band),
            ends[g]);
      }
      int columns = Math.min(COLUMNS, grid.columns() - g * COLUMNS);
      for (int row = 0; row < rows(band); row++) {
        put(group, row, g * COLUMNS, columns, row * COLUMNS);
      }
      group.clear();
    }
  }
}
