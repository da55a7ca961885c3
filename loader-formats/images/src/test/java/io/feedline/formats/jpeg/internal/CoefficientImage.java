package io.feedline.formats.jpeg.internal;

import java.util.SplittableRandom;

/**
 * An image of random coefficients, a different one for each block of each component.
 *
 * @param blocks for each component its blocks, row by row, {@code columns * factor} in a row
 */
record CoefficientImage(McuGrid grid, int[][][] blocks) {

  /** The content of a block's coefficients. */
  enum Kind {
    /** As in photographs: a few low frequencies. */
    SMOOTH,
    /** All frequencies, large enough that samples are often clipped. */
    HARSH,
    /** 0, or as large as 8-bit images with 8-bit quantizers can have them. */
    EXTREME;

    int[] block(SplittableRandom random) {
      int[] block = new int[64];
      block[0] = random.nextInt(-1024, 1025);
      for (int f = 1; f < 64; f++) {
        block[f] =
            switch (this) {
              case SMOOTH -> f % 8 + f / 8 < 4 ? random.nextInt(-60, 61) : 0;
              case HARSH -> random.nextInt(-300, 301);
              case EXTREME -> random.nextInt(8) > 0 ? 0 : random.nextBoolean() ? 2047 : -2047;
            };
      }
      return block;
    }
  }

  static CoefficientImage random(McuGrid grid, Kind kind, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Sampling sampling = grid.sampling();
    int mcus = grid.columns() * grid.rows();
    int[][][] blocks = new int[sampling.components()][][];
    for (int c = 0; c < blocks.length; c++) {
      blocks[c] = new int[c == 0 ? mcus * sampling.lumaBlocks() : mcus][];
      for (int i = 0; i < blocks[c].length; i++) {
        blocks[c][i] = kind.block(random);
      }
    }
    return new CoefficientImage(grid, blocks);
  }

  /** A component's block by its place among that component's blocks. */
  int[] block(int component, int x, int y) {
    int across = component == 0 ? grid.sampling().horizontal() : 1;
    return blocks[component][y * grid.columns() * across + x];
  }

  /** Has the planes transform and store all that they ask for, and completes them. */
  void decode(PixelPlanes planes, int rowsAtOnce) {
    int step = planes.mcusPerBatch() / rowsAtOnce;
    for (int row = planes.mcuTop(); row < planes.mcuBottom(); row += rowsAtOnce) {
      int rows = Math.min(rowsAtOnce, planes.mcuBottom() - row);
      for (int column = planes.mcuLeft(); column < planes.mcuRight(); column += step) {
        int count = Math.min(step, planes.mcuRight() - column);
        for (int r = 0; r < rows; r++) {
          for (int m = 0; m < count; m++) {
            write(planes.coefficients(), column + m, row + r, r * step + m);
          }
        }
        planes.transform();
        for (int r = 0; r < rows; r++) {
          planes.store(row + r, column, count, r * step);
        }
      }
    }
    planes.finish();
  }

  private void write(Coefficients target, int column, int row, int mcu) {
    Sampling sampling = grid.sampling();
    for (int k = 0; k < sampling.blocksPerMcu(); k++) {
      int[] block;
      if (k < sampling.lumaBlocks()) {
        int x = column * sampling.horizontal() + k % sampling.horizontal();
        int y = row * sampling.vertical() + k / sampling.horizontal();
        block = block(0, x, y);
      } else {
        block = block(k - sampling.lumaBlocks() + 1, column, row);
      }
      int slot = k * target.mcusPerBatch() + mcu;
      for (int f = 0; f < 64; f++) {
        target.values()[f * Coefficients.BLOCKS + slot] = block[f];
      }
    }
  }
}
