package io.feedline.formats.jpeg.internal;

/** The samples ordered by their place within an MCU; {@link PixelPlanes} draws this layout. */
final class PhasePlanes extends SamplePlanes {
  private final Plane luma = new Plane();
  private final Plane cb = new Plane();
  private final Plane cr = new Plane();
  private final PixelTile tile;

  private PlaneLayout layout;
  private McuRange range;
  private Colors colors;

  PhasePlanes(PixelKernels kernels) {
    tile = new PixelTile(kernels, luma, cb, cr);
  }

  @Override
  void begin(PlaneLayout layout, Colors colors, McuRange range) {
    this.layout = layout;
    this.range = range;
    this.colors = colors;
    Sampling sampling = layout.grid().sampling();
    int columns = range.columns();
    int rows = range.rows();
    luma.begin(
        layout.lumaSize(),
        sampling.horizontal(),
        sampling.vertical(),
        layout.verticalRatio(),
        columns,
        rows);
    if (sampling != Sampling.GRAY && colors != Colors.LUMA) {
      cb.begin(layout.chromaSize(), 1, 1, 1, columns, rows);
      cr.begin(layout.chromaSize(), 1, 1, 1, columns, rows);
    }
  }

  @Override
  void storeLuma(BlockSamples samples, int slot, int step, int row, int column, int count) {
    int blocks = layout.grid().sampling().lumaBlocks();
    for (int block = 0, at = slot; block < blocks; block++, at += step) {
      luma.store(block, samples.left(), samples.right(), at, row, column, count);
    }
  }

  @Override
  void storeChroma(BlockSamples samples, int slot, int step, int row, int column, int count) {
    cb.store(0, samples.left(), samples.right(), slot, row, column, count);
    cr.store(0, samples.left(), samples.right(), slot + step, row, column, count);
  }

  @Override
  void finish() {
    if (layout.stretch() != PlaneLayout.Stretch.REPEAT && colors != Colors.LUMA) {
      extend(cb, layout, range);
      extend(cr, layout, range);
    }
    tile.begin(layout, colors);
  }

  @Override
  void read(int row, int x, int width, int[] target, int offset) {
    tile.read(row, x, width, target, offset);
  }

  @Override
  void readColumns(int row, int rows, int x, int width, int[][] columns) {
    tile.readColumns(row, rows, x, width, columns);
  }
}
