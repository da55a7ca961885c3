package io.feedline.formats.jpeg.internal;

import io.feedline.formats.jpeg.internal.PlaneLayout.Stretch;

/**
 * The samples in the order of the image, one byte each. With vector instructions that widen bytes,
 * pixels are computed in this order, without reordering. This class supports images at full size
 * whose chroma either has all columns and rows, or has half of the columns and is stretched by a
 * filter. {@link PhasePlanes} support all images.
 *
 * <pre>
 *   batch     row y, 0..3:   | block | block | ...     4 samples each
 *             row y, 4..7:   | block | block | ...
 *      place
 *   planes    border   row 0: x 0, x 1, x 2, ...   border   row 1: ...           1 byte each
 *      blend (two chroma rows), stretch             a row of chroma, as wide as luma
 *      color
 *   pixels    row y:   | x 0 | x 1 | x 2 | ...
 * </pre>
 *
 * <p>Between rows lies a border, with room for the samples that filters read beyond the edges of
 * the image and that kernels write after a run. Chroma has one more row above and one below.
 */
final class RowPlanes extends SamplePlanes {
  private static final int BORDER = RowKernels.SLACK;
  private static final int BLOCK = 8;

  private final RowKernels kernels;
  private final Component luma = new Component(1);

  /** The samples of Cb and Cr; one run of a kernel over both takes less time than two runs. */
  private final Component chroma = new Component(2);

  private PlaneLayout layout;
  private McuRange range;
  private short[] wide = {};
  private byte[] stretched = {};
  private final int[] few;

  RowPlanes(RowKernels kernels) {
    this.kernels = kernels;
    few = new int[kernels.fewest()];
  }

  static boolean suit(PlaneLayout layout, Colors colors) {
    if (colors != Colors.YCC || layout.scale() != 1) {
      return false;
    }
    Stretch stretch = layout.stretch();
    return layout.grid().sampling() == Sampling.S444
        || stretch == Stretch.ACROSS
        || stretch == Stretch.BOTH;
  }

  /** The samples of components of equal size; the rows of the components lie side by side. */
  private static final class Component implements Edges {
    private final int components;

    /** The distance from a row of a component to the same row of the next component. */
    private int distance;

    private int stride;
    private int rows;
    private byte[] samples = {};

    Component(int components) {
      this.components = components;
    }

    void begin(int width, int rows) {
      this.rows = rows;
      distance = width + BORDER;
      stride = Math.multiplyExact(components, distance);
      int length = Math.addExact(Math.multiplyExact(rows + 2, stride), BORDER);
      if (samples.length < length) {
        samples = new byte[Plane.roomFor(length)];
      }
    }

    /**
     * Returns the index of a row's first sample; row -1 and the row after the last are the border.
     */
    int at(int row) {
      return (row + 1) * stride + BORDER;
    }

    @Override
    public void extendLeft() {
      for (int row = 0; row < rows; row++) {
        for (int c = 0, at = at(row); c < components; c++, at += distance) {
          samples[at - 1] = samples[at];
        }
      }
    }

    @Override
    public void extendRight(int x) {
      for (int row = 0; row < rows; row++) {
        for (int c = 0, at = at(row) + x; c < components; c++, at += distance) {
          samples[at] = samples[at - 1];
        }
      }
    }

    @Override
    public void copyRow(int from, int to) {
      System.arraycopy(samples, at(from) - 1, samples, at(to) - 1, stride);
    }
  }

  @Override
  void begin(PlaneLayout layout, Colors colors, McuRange range) {
    this.layout = layout;
    this.range = range;
    int width = range.columns() * BLOCK;
    int height = range.rows() * BLOCK;
    Sampling sampling = layout.grid().sampling();
    luma.begin(
        Math.multiplyExact(width, sampling.horizontal()),
        Math.multiplyExact(height, sampling.vertical()));
    chroma.begin(width, height);
    if (layout.stretch().across() && wide.length < chroma.stride + 2) {
      int room = Plane.roomFor(chroma.stride + 2);
      wide = new short[room];
      stretched = new byte[2 * room];
    }
  }

  @Override
  void storeLuma(BlockSamples samples, int slot, int step, int row, int column, int count) {
    Sampling sampling = layout.grid().sampling();
    int across = sampling.horizontal();
    int to = luma.at(row * sampling.vertical() * BLOCK) + column * across * BLOCK;
    int at = slot;
    for (int v = 0; v < sampling.vertical(); v++) {
      if (across == 1) {
        kernels.place(samples, at, luma.samples, to, luma.stride, count);
      } else {
        kernels.placePairs(samples, at, at + step, luma.samples, to, luma.stride, count);
      }
      at += across * step;
      to += BLOCK * luma.stride;
    }
  }

  @Override
  void storeChroma(BlockSamples samples, int slot, int step, int row, int column, int count) {
    int to = chroma.at(row * BLOCK) + column * BLOCK;
    kernels.place(samples, slot, chroma.samples, to, chroma.stride, count);
    int second = to + chroma.distance;
    kernels.place(samples, slot + step, chroma.samples, second, chroma.stride, count);
  }

  @Override
  void finish() {
    extend(chroma, layout, range);
  }

  @Override
  void read(int row, int x, int width, int[] target, int offset) {
    if (width >= few.length) {
      convert(row, x, width, target, offset);
    } else {
      convert(row, x, few.length, few, 0);
      System.arraycopy(few, 0, target, offset, width);
    }
  }

  private void convert(int row, int x, int width, int[] target, int offset) {
    int y = luma.at(row) + x;
    byte[] samples = chroma.samples;
    int cb = chroma.at(row) + x;
    int cr = cb + chroma.distance;
    if (layout.stretch().across()) {
      int first = x / 2;
      stretch(row, first, (x + width - 1) / 2 - first + 1);
      samples = stretched;
      cb = x - 2 * first;
      cr = cb + 2 * chroma.distance;
    }
    kernels.color(luma.samples, y, samples, cb, samples, cr, target, offset, width);
  }

  /** Computes {@code 2 * n} samples of a row of both components, from column {@code first} on. */
  private void stretch(int row, int first, int n) {
    int all = chroma.distance + n;
    // The samples before the first and after the last are read too.
    int seen = all + 2;
    if (layout.stretch() == Stretch.BOTH) {
      int near = chroma.at(row / 2) + first - 1;
      int far = row % 2 == 0 ? near - chroma.stride : near + chroma.stride;
      kernels.blend(chroma.samples, near, far, wide, seen);
      kernels.stretch(wide, 8, 7, 4, stretched, all);
    } else {
      kernels.widen(chroma.samples, chroma.at(row) + first - 1, wide, seen);
      kernels.stretch(wide, 1, 2, 2, stretched, all);
    }
  }
}
