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
 * The quantized coefficients of a band (two rows of MCUs), set by set; {@link CoefficientLayout}
 * says what sets, places and lanes are. The values of a place lie side by side for all 16 lanes.
 */
final class QuantizedBand {

  private static final int PLACES = 64;

  private final McuGrid grid;
  private final int blocksPerMcu;
  private final short[] values;

  /** The masks of each place of each set: a bit is 1 if the lane's value is not 0. */
  private final short[] masks;

  private final int[] ends;

  QuantizedBand(McuGrid grid) {
    this.grid = grid;
    this.blocksPerMcu = grid.sampling().blocksPerMcu();
    int sets = Math.multiplyExact(CoefficientLayout.groups(grid), blocksPerMcu);
    this.values = new short[Math.multiplyExact(PLACES * LANES, sets)];
    this.masks = new short[PLACES * sets];
    this.ends = new int[CoefficientLayout.groups(grid) + 1];
  }

  short[] values() {
    return values;
  }

  /** Returns the mask of each place of each {@link #set}, as a record stores it. */
  short[] masks() {
    return masks;
  }

  int set(int group, int block) {
    return group * blocksPerMcu + block;
  }

  /**
   * Returns the index of the first value of a block of an MCU in a row of the band. The index of
   * each further value of the block is larger by {@link CoefficientLayout#LANES}.
   */
  int at(int row, int column, int block) {
    return PLACES * LANES * set(column / COLUMNS, block) + COLUMNS * row + column % COLUMNS;
  }

  void clear() {
    Arrays.fill(values, (short) 0);
    Arrays.fill(masks, (short) 0);
  }

  /** Returns the number of rows of MCUs in a band; the last band may have fewer. */
  int rows(int band) {
    return Math.min(ROWS, grid.rows() - band * ROWS);
  }

  /**
   * Copies one row of MCUs of a group, which begins at a slot of the batch, into this band. There
   * the lanes of the row must still be 0. In the batch, slots outside the image must be 0.
   */
  void put(Coefficients batch, int row, int group, int slot) {
    int[] from = batch.values();
    for (int block = 0; block < blocksPerMcu; block++) {
      int first = PLACES * set(group, block);
      int in = block * batch.mcusPerBatch() + slot;
      for (int place = 0; place < PLACES; place++) {
        int lane = McuTables.frequency(place) * Coefficients.BLOCKS + in;
        int any = 0;
        for (int i = 0; i < COLUMNS; i++) {
          any |= from[lane + i];
        }
        if (any == 0) {
          continue; // Most places have only zeros.
        }
        int to = LANES * (first + place) + COLUMNS * row;
        int mask = 0;
        for (int i = 0; i < COLUMNS; i++) {
          int value = from[lane + i];
          values[to + i] = (short) value;
          mask |= ((value | -value) >>> 31) << i;
        }
        masks[first + place] |= (short) (mask << (COLUMNS * row));
      }
    }
  }

  void read(CoefficientRecord record, int band) throws JpegException {
    clear();
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
      for (int row = 0; row < rows(band); row++) {
        put(group, row, g, row * COLUMNS);
      }
      group.clear();
    }
  }
}
