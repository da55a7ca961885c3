package io.feedline.formats.jpeg;

/**
 * A few rows of the planes, converted to pixels: so few that everything between planes and pixels
 * stays in the first levels of a cache, and so many that the loops over them are long.
 *
 * <p>A tile takes whole rows of the planes' arrays, their borders included, as one run of
 * neighbouring ints, so a loop need not know where a row ends, and an MCU's neighbours are the ints
 * before and after its own. What is computed for the borders is garbage that nobody reads.
 *
 * <p>The pixels stay sorted by phase, their place within the MCU, until {@link #read} spreads them:
 * for each phase one array, with the MCUs in the planes' order.
 */
final class PixelTile {
  /** About how many MCUs a tile has; one row has more if the picture is very wide. */
  private static final int LENGTH = 768;

  private final PixelKernels kernels;
  private final Plane luma;
  private final StretchedChroma cb;
  private final StretchedChroma cr;

  private boolean grey;
  private boolean rgb;
  private int phases;
  private int interleave;
  private int rowsPerTile;
  private int firstRow;
  private int endRow;

  private int[] words = {};
  private int[][] pixels = {};

  PixelTile(PixelKernels kernels, Plane luma, Plane cb, Plane cr) {
    this.kernels = kernels;
    this.luma = luma;
    this.cb = new StretchedChroma(kernels, cb);
    this.cr = new StretchedChroma(kernels, cr);
  }

  /**
   * Starts with planes that are complete.
   *
   * @param rgb whether the components are red, green and blue, so that none is converted
   */
  void begin(PlaneLayout layout, boolean rgb) {
    this.rgb = rgb;
    grey = layout.grid().sampling() == Sampling.GREY;
    phases = layout.mcuWidth();
    interleave = layout.verticalRatio();
    rowsPerTile = Math.min(luma.rows(), Math.max(1, LENGTH / luma.stride()));
    firstRow = 0;
    endRow = 0;
    int length = rowsPerTile * luma.stride() + PixelKernels.SLACK;
    if (words.length < length || pixels.length < phases * interleave) {
      int room = Math.max(words.length, Plane.roomFor(length));
      words = new int[room];
      pixels = new int[Math.max(pixels.length, phases * interleave)][room];
    }
    if (!grey) {
      cb.begin(layout, length);
      cr.begin(layout, length);
    }
  }

  /**
   * Gives a part of a row.
   *
   * @param row from the top of the planes
   * @param x the first pixel, from the left of the planes
   * @param target receives {@code width} pixels from {@code offset} on
   */
  void read(int row, int x, int width, int[] target, int offset) {
    int planeRow = row / interleave;
    if (planeRow < firstRow || planeRow >= endRow) {
      convert(planeRow / rowsPerTile * rowsPerTile);
    }
    int first = row % interleave * phases;
    int start = (planeRow - firstRow) * luma.stride() + 1;
    for (int phase = 0; phase < phases; phase++) {
      int column = (x - phase + phases - 1) / phases;
      int left = column * phases + phase - x;
      if (left < width) {
        int count = (width - 1 - left) / phases + 1;
        kernels.spread(pixels[first + phase], start + column, target, offset + left, phases, count);
      }
    }
  }

  private void convert(int row) {
    firstRow = row;
    endRow = Math.min(luma.rows(), row + rowsPerTile);
    int start = luma.index(row, -1);
    int n = (endRow - firstRow) * luma.stride();
    for (int parity = 0; parity < interleave; parity++) {
      if (!grey) {
        cb.load(parity, start, n);
        cr.load(parity, start, n);
      }
      for (int phase = 0; phase < phases; phase++) {
        int shift = luma.shift(phase);
        if (shift == 0) {
          System.arraycopy(luma.words(parity, phase), start, words, 0, n);
        }
        convert(phase, shift, pixels[parity * phases + phase], n);
      }
    }
  }

  private void convert(int phase, int shift, int[] target, int n) {
    if (grey) {
      kernels.grey(words, shift, target, n);
      return;
    }
    int[] second = cb.samples(phase, n);
    int[] third = cr.samples(phase, n);
    if (rgb) {
      kernels.rgb(words, shift, second, third, cb.shift(phase), target, n);
    } else {
      kernels.colour(words, shift, second, third, cb.shift(phase), target, n);
    }
  }

  /** The memory that the tile keeps, in bytes. */
  long bytes() {
    return (long) words.length * Integer.BYTES * (1 + pixels.length) + cb.bytes() + cr.bytes();
  }
}
