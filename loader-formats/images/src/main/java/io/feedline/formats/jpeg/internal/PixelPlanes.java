package io.feedline.formats.jpeg.internal;

import io.feedline.formats.jpeg.internal.PlaneLayout.Stretch;
import io.feedline.formats.jpeg.internal.SamplePlanes.Colors;
import java.util.Objects;

/**
 * The second half of the decoder, from the dequantized coefficients of blocks to packed pixels. The
 * pixels equal those of libjpeg-turbo's defaults, bit for bit.
 *
 * <pre>{@code
 * planes.begin(grid, rgb, x, y, width, height, 1);
 * for each row of MCUs from mcuTop() to mcuBottom(), in batches of mcusPerBatch():
 *   write coefficients()
 *   planes.transform();
 *   planes.store(row, column, count, 0);
 * planes.finish();
 * planes.read(0, height, pixels, 0, width);
 * }</pre>
 *
 * <h2>Layout</h2>
 *
 * <p>All kernels do the same with neighboring ints, which suits vector instructions and needs no
 * shuffles. Up to the last step, neighboring ints are the same pixel of neighboring MCUs:
 *
 * <pre>
 *   coefficients       frequency f:   | block | block | block | ...            1 int each
 *      transform
 *   batch              row y, 0..3:   | block | block | block | ...            4 samples each
 *                      row y, 4..7:   | block | block | block | ...
 *      store
 *   plane (4:2:0 luma, one array for each word, even and odd rows apart)
 *
 *     even rows, x 0..3     even rows, x 4..7    ...   odd rows, x 12..15
 *       border  row -1        border                     border
 *       b|MCU|MCU|MCU|b       b|MCU|MCU|MCU|b            b|MCU|MCU|MCU|b       4 samples each
 *       b|MCU|MCU|MCU|b       b|MCU|MCU|MCU|b            b|MCU|MCU|MCU|b
 *       border                border                     border
 *
 *      a tile: some rows, borders included, are one run of ints in all arrays
 *   tile               x 0, even:     | MCU | MCU | b | b | MCU | MCU | ...    1 pixel each
 *                      x 1, even:     | MCU | MCU | b | b | MCU | MCU | ...
 *      read
 *   pixels             row y:         | x 0 | x 1 | x 2 | ...
 * </pre>
 *
 * <p>If chroma has half the rows of luma, luma's even and odd rows lie in different arrays. So a
 * luma sample and its chroma sample always have the same index. This is the layout of {@link
 * PhasePlanes}; {@link RowPlanes} keep samples in the order of the image.
 *
 * <h2>Exactness</h2>
 *
 * <p>The transform is libjpeg's "islow", chroma is stretched by "fancy upsampling", and colors are
 * converted by its 16-bit tables. Samples outside 0..255 are clipped. Corrupt coefficients may
 * overflow 16 bits, and then the pixels are those of libjpeg-turbo's vector code. To find an
 * overflow, kernels check for values that are too large, which takes about a hundredth of their
 * time. {@link SixteenBitTransform} transforms the batches with such values.
 *
 * <p>Not thread-safe. Memory is kept for the next image.
 */
public final class PixelPlanes {
  private final PixelKernels kernels;
  private final Coefficients coefficients = new Coefficients();
  private final BlockSamples lumaBlocks = new BlockSamples();
  private final BlockSamples chromaBlocks = new BlockSamples();
  private final SamplePlanes phases;

  /** The planes in the order of the image; null if the kernels support only {@link #phases}. */
  private final SamplePlanes rows;

  private SamplePlanes samples;
  private PlaneLayout layout = new PlaneLayout(new McuGrid(1, 1, Sampling.GRAY), 1);
  private boolean onlyLuma;
  private int x;
  private int y;
  private int width;
  private int height;
  private McuRange range = new McuRange(0, 1, 0, 1);

  public PixelPlanes() {
    this(PixelKernels.create());
  }

  public PixelPlanes(PixelKernels kernels) {
    this.kernels = kernels;
    RowKernels ofRows = kernels.rows();
    phases = new PhasePlanes(kernels);
    rows = ofRows == null ? null : new RowPlanes(ofRows);
    samples = phases;
  }

  /**
   * Sets whether the pixels of the images that begin from now on are luma only. Chroma is then
   * neither transformed nor stored.
   */
  public void onlyLuma(boolean onlyLuma) {
    this.onlyLuma = onlyLuma;
  }

  /**
   * Starts an image. Afterwards all MCUs that the region touches must be stored: in place of a
   * missing MCU, {@link #read} would return samples of an earlier image.
   *
   * @param scale the divisor of width and height: 1, 2, 4 or 8; quotients are rounded up
   * @param rgb true if the components are red, green and blue, false if they are luma and chroma
   * @param x the left of the region, in pixels of the scaled image
   * @param rowsAtOnce the number of rows of MCUs in a batch, 1 or 2; a second row fills the second
   *     half
   * @throws IndexOutOfBoundsException if the region is not within the scaled image
   */
  public void begin(
      McuGrid grid, int scale, boolean rgb, int x, int y, int width, int height, int rowsAtOnce) {
    layout = new PlaneLayout(grid, scale);
    Objects.checkFromIndexSize(x, width, layout.width());
    Objects.checkFromIndexSize(y, height, layout.height());
    if (width == 0 || height == 0) {
      throw new IllegalArgumentException("region is empty: " + width + "x" + height);
    }
    if (rowsAtOnce != 1 && rowsAtOnce != 2) {
      throw new IllegalArgumentException("rowsAtOnce must be 1 or 2, was " + rowsAtOnce);
    }
    this.x = x;
    this.y = y;
    this.width = width;
    this.height = height;
    planRange();
    planBatches(rowsAtOnce);
    Colors colors = onlyLuma ? Colors.LUMA : rgb ? Colors.RGB : Colors.YCC;
    samples = rows != null && RowPlanes.suit(layout, colors) ? rows : phases;
    samples.begin(layout, colors, range);
  }

  private Stretch stretch() {
    return onlyLuma ? Stretch.REPEAT : layout.stretch();
  }

  private boolean hasChroma() {
    return !onlyLuma && layout.grid().sampling() != Sampling.GRAY;
  }

  private void planRange() {
    Stretch stretch = stretch();
    int across = stretch.across() ? 1 : 0;
    int down = stretch.down() ? 1 : 0;
    McuGrid grid = layout.grid();
    range =
        new McuRange(
            Math.max(0, x - across) / layout.mcuWidth(),
            Math.min(grid.columns(), (x + width - 1 + across) / layout.mcuWidth() + 1),
            Math.max(0, y - down) / layout.mcuHeight(),
            Math.min(grid.rows(), (y + height - 1 + down) / layout.mcuHeight() + 1));
  }

  /** Makes batches as large as possible: plain kernels take as long for a partly filled batch. */
  private void planBatches(int rowsAtOnce) {
    int most = Coefficients.BLOCKS / (layout.grid().sampling().blocksPerMcu() * rowsAtOnce);
    long mcus = (long) range.columns() * ((range.rows() + rowsAtOnce - 1) / rowsAtOnce);
    coefficients.begin((int) Math.min(most, mcus) * rowsAtOnce);
  }

  public int mcuLeft() {
    return range.left();
  }

  public int mcuRight() {
    return range.right();
  }

  public int mcuTop() {
    return range.top();
  }

  public int mcuBottom() {
    return range.bottom();
  }

  /** Returns the object that receives a batch's coefficients; it is the same for all images. */
  public Coefficients coefficients() {
    return coefficients;
  }

  /** Returns how many blocks at an MCU's beginning become one sample each, their DC value. */
  int dcBlocks() {
    Sampling sampling = layout.grid().sampling();
    if (layout.lumaSize() > 1) {
      return 0;
    }
    return hasChroma() && layout.chromaSize() > 1 ? sampling.lumaBlocks() : sampling.blocksPerMcu();
  }

  public int mcusPerBatch() {
    return coefficients.mcusPerBatch();
  }

  void transform() {
    transformOnly();
    coefficients.clear();
  }

  /** Transforms a batch to samples; returns false if this has overwritten the coefficients. */
  public boolean transformOnly() {
    Sampling sampling = layout.grid().sampling();
    int chroma = sampling.lumaBlocks() * mcusPerBatch();
    int end = sampling.blocksPerMcu() * mcusPerBatch();
    if (!hasChroma()) {
      transform(layout.lumaSize(), 0, chroma, lumaBlocks);
    } else if (layout.chromaSize() == layout.lumaSize()) {
      transform(layout.lumaSize(), 0, end, lumaBlocks);
    } else {
      transform(layout.lumaSize(), 0, chroma, lumaBlocks);
      transform(layout.chromaSize(), chroma, end, chromaBlocks);
    }
    return kernels.keepsCoefficients();
  }

  private void transform(int size, int from, int to, BlockSamples samples) {
    int[] values = coefficients.values();
    if (!kernels.transform(size, values, from, to, samples.left(), samples.right())) {
      SixteenBitTransform.transform(size, values, from, to, samples.left(), samples.right());
    }
  }

  /**
   * Moves {@code count} MCUs of the transformed batch to a row and column of the image's MCUs. The
   * first of them has the number {@code firstMcuOfBatch} in the batch. The MCUs of a row must be
   * stored from left to right.
   */
  public void store(int mcuRow, int mcuColumn, int count, int firstMcuOfBatch) {
    int column = mcuColumn - range.left();
    Objects.checkFromIndexSize(column, count, range.columns());
    int row = Objects.checkIndex(mcuRow - range.top(), range.rows());
    Sampling sampling = layout.grid().sampling();
    int step = mcusPerBatch();
    samples.storeLuma(lumaBlocks, firstMcuOfBatch, step, row, column, count);
    if (hasChroma()) {
      boolean same = layout.chromaSize() == layout.lumaSize();
      BlockSamples blocks = same ? lumaBlocks : chromaBlocks;
      int slot = firstMcuOfBatch + sampling.lumaBlocks() * step;
      samples.storeChroma(blocks, slot, step, row, column, count);
    }
  }

  public void finish() {
    samples.finish();
  }

  /**
   * Reads rows of the region, over its whole width. Rows may be read in any order, but only
   * ascending rows are converted just once.
   *
   * @param y the first row, from the top of the region
   * @param pixels the array that receives one int for each pixel, {@code red | green << 8 | blue <<
   *     16} or luma
   */
  public void read(int y, int rows, int[] pixels, int offset, int stride) {
    Objects.checkFromIndexSize(y, rows, height);
    int top = this.y - range.top() * layout.mcuHeight() + y;
    int left = x - range.left() * layout.mcuWidth();
    for (int row = 0; row < rows; row++) {
      samples.read(top + row, left, width, pixels, offset + row * stride);
    }
  }

  /** Reads rows like {@link #read}, but pixel x of row {@code y + i} into {@code columns[x][i]}. */
  public void readColumns(int y, int rows, int[][] columns) {
    Objects.checkFromIndexSize(y, rows, height);
    int top = this.y - range.top() * layout.mcuHeight() + y;
    int left = x - range.left() * layout.mcuWidth();
    samples.readColumns(top, rows, left, width, columns);
  }
}
