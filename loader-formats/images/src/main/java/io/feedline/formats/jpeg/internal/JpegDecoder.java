package io.feedline.formats.jpeg.internal;

import org.jspecify.annotations.Nullable;

/**
 * A decoder of rectangles of JPEG files. Its pixels equal those of libjpeg-turbo's defaults, and so
 * Pillow's: accurate integer inverse DCT, "fancy" upsampling, and the color conversion of JFIF.
 *
 * <p>Data below the rectangle are not read. Data above and beside the rectangle are read but not
 * decoded. With a {@link ScanIndex} nearly all of these data are not even read. Not thread-safe:
 * each thread needs its own decoder. A decoder is usable after an exception.
 */
public final class JpegDecoder extends RegionDecoder {

  /**
   * The largest number of bits of a row that is decoded together with another row. The data of both
   * rows must be in memory, which costs more time than it saves for larger rows.
   */
  private static final int MAX_PAIR_BITS = 8 * (8 << 20);

  /** The fewest bits of a block: one for its DC value and one for its end. */
  private static final int MIN_BLOCK_BITS = 2;

  private final McuTables tables = new McuTables();
  private final ScanReader reader = new ScanReader(tables);
  private final RowPairDecoder pairDecoder = new RowPairDecoder(tables);
  private final RowPairDecoder.Row upper = new RowPairDecoder.Row();
  private final RowPairDecoder.Row lower = new RowPairDecoder.Row();
  private final ScanIndex.Entry entry = new ScanIndex.Entry();

  private int scale = 1;
  private JpegImage image;
  private int regionX;
  private int regionY;
  private int regionWidth;
  private int regionHeight;
  private int rowsAtOnce;
  private int row;
  private int column;
  private int filled;

  public JpegDecoder() {
    super(new PixelPlanes());
  }

  /**
   * Sets the divisor of the sides of images that are decoded from now on: 1, 2, 4 or 8. Pixels are
   * those of libjpeg-turbo's {@code scale_denom}. Rectangles lie in the smaller image, whose sides
   * are rounded up.
   */
  public void scale(int scale) {
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8) {
      throw new IllegalArgumentException("scale must be 1, 2, 4 or 8, was " + scale);
    }
    this.scale = scale;
  }

  /**
   * Decodes a rectangle; {@link #read} then returns its pixels.
   *
   * @throws JpegException if the image is unsupported, or a part that has to be read is damaged
   * @throws IllegalArgumentException if the rectangle is empty or not within the image
   */
  public void decode(JpegImage image, int x, int y, int width, int height) throws JpegException {
    begin(image, x, y, width, height);
    decodeInOrder(null);
  }

  /**
   * Decodes a rectangle with an index. If the index does not match the image or points to wrong
   * places, it is not used. If it is used, damage above the rectangle is not found.
   *
   * @return true if the index was used; if false, a new index should be made
   */
  public boolean decode(JpegImage image, ScanIndex index, int x, int y, int width, int height)
      throws JpegException {
    begin(image, x, y, width, height);
    if (index.matches(image) && decodeIndexed(index)) {
      return true;
    }
    decodeInOrder(null);
    return false;
  }

  /**
   * Decodes a rectangle, and makes an index by reading the image to its end.
   *
   * @throws JpegException for the reasons of {@link ScanIndex#build(JpegImage, int)}, so also for
   *     damage below the rectangle
   */
  public ScanIndex decodeAndIndex(
      JpegImage image, int mcusPerEntry, int x, int y, int width, int height) throws JpegException {
    begin(image, x, y, width, height);
    ScanIndexRecorder recorder = new ScanIndexRecorder(image, mcusPerEntry);
    decodeInOrder(recorder);
    return recorder.finish(reader);
  }

  /**
   * Reads the whole image without computing pixels.
   *
   * @throws JpegException if the image is unsupported or damaged
   */
  public void check(JpegImage image) throws JpegException {
    scale(1);
    begin(image, 0, 0, image.width(), image.height());
    reader.open(image);
    reader.skip(image.grid().columns() * image.grid().rows());
  }

  static void requireSupported(JpegImage image) throws JpegException {
    if (image.unsupported() != null) {
      throw new JpegException("the JPEG is of an unsupported kind: " + image.unsupported());
    }
  }

  private void begin(JpegImage image, int x, int y, int width, int height) throws JpegException {
    forget();
    requireSupported(image);
    if (x < 0
        || y < 0
        || width < 1
        || height < 1
        || width > scaled(image.width()) - x
        || height > scaled(image.height()) - y) {
      throw new IllegalArgumentException(
          "%d x %d pixels at (%d, %d) are not within %d x %d"
              .formatted(width, height, x, y, scaled(image.width()), scaled(image.height())));
    }
    this.image = image;
    regionX = x;
    regionY = y;
    regionWidth = width;
    regionHeight = height;
    requireEnoughData();
    tables.fill(image);
  }

  private int scaled(int side) {
    return (side + scale - 1) / scale;
  }

  /** Refuses images whose few bytes claim gigabytes of pixels. */
  private void requireEnoughData() throws JpegException {
    McuGrid grid = image.grid();
    int lastRow = scale * (regionY + regionHeight - 1) / grid.mcuHeight();
    int lastColumn = scale * (regionX + regionWidth - 1) / grid.mcuWidth();
    int mcu = lastRow * grid.columns() + lastColumn;
    long bits = (mcu + 1L) * grid.sampling().blocksPerMcu() * MIN_BLOCK_BITS;
    int bytes = image.data().length - image.scanStart();
    if (bits > 8L * bytes) {
      throw new JpegException(
          "the JPEG is damaged: the image data are truncated, %d bytes for %d x %d pixels"
              .formatted(bytes, image.width(), image.height()),
          image.data().length,
          mcu,
          grid.columns());
    }
  }

  private void beginPlanes(int rowsAtOnce) {
    this.rowsAtOnce = rowsAtOnce;
    planes.begin(
        image.grid(), scale, image.rgb(), regionX, regionY, regionWidth, regionHeight, rowsAtOnce);
    tables.wantDc(planes.dcBlocks());
    reader.into(planes.coefficients());
    pairDecoder.into(planes.coefficients());
    row = planes.mcuTop();
    column = planes.mcuLeft();
    filled = 0;
  }

  /** Reads the MCUs up to the rectangle's last MCU; with a recorder, all MCUs of the image. */
  private void decodeInOrder(@Nullable ScanIndexRecorder recorder) throws JpegException {
    beginPlanes(1);
    reader.open(image);
    if (recorder != null) {
      reader.record(recorder);
    }
    int columns = image.grid().columns();
    int top = planes.mcuTop();
    int bottom = planes.mcuBottom();
    reader.skip(top * columns);
    for (int next = top; next < bottom; next++) {
      reader.skip(planes.mcuLeft());
      decodeRows();
      if (next + 1 < bottom || recorder != null) {
        reader.skip(columns - planes.mcuRight());
      }
    }
    if (recorder != null) {
      reader.skip((image.grid().rows() - bottom) * columns);
    }
    store();
    finish(regionWidth, regionHeight);
  }

  /** Decodes the wanted MCUs of one or two rows; returns false if two rows cannot be decoded. */
  private boolean decodeRows() throws JpegException {
    int batch = planes.mcusPerBatch() / rowsAtOnce;
    int left = planes.mcuRight() - planes.mcuLeft();
    while (left > 0) {
      int count = Math.min(left, batch - filled);
      if (rowsAtOnce == 1) {
        reader.decode(count, filled);
      } else if (!decodeTwoRows(count, batch)) {
        return false;
      }
      left -= count;
      filled += count;
      if (filled == batch) {
        store();
      }
    }
    return true;
  }

  private boolean decodeTwoRows(int count, int batch) {
    byte[] bytes = reader.window().bytes();
    return pairDecoder.decode(bytes, count, upper, filled, lower, batch + filled);
  }

  private void store() {
    if (filled > 0) {
      planes.transform();
    }
    int step = planes.mcusPerBatch() / rowsAtOnce;
    for (int slot = 0; slot < filled; ) {
      int count = Math.min(filled - slot, planes.mcuRight() - column);
      for (int i = 0; i < rowsAtOnce; i++) {
        planes.store(row + i, column, count, slot + i * step);
      }
      slot += count;
      column += count;
      if (column == planes.mcuRight()) {
        column = planes.mcuLeft();
        row += rowsAtOnce;
      }
    }
    filled = 0;
  }

  /**
   * Reads the MCUs of the rectangle, and in each row also the MCUs between the rectangle and the
   * nearest entry on its left. Returns false if the index points to wrong places.
   */
  private boolean decodeIndexed(ScanIndex index) {
    beginPlanes(image.restartInterval() == 0 ? 2 : 1);
    reader.open(image);
    int bottom = planes.mcuBottom();
    try {
      for (int next = planes.mcuTop(); next < bottom; next += rowsAtOnce) {
        if (next + rowsAtOnce > bottom) {
          store();
          rowsAtOnce = 1;
        }
        if (!seek(index, next) || !decodeRows()) {
          return false;
        }
      }
    } catch (JpegException wrongIndexOrDamage) {
      // Reading the image without the index will show whether the index or the image is damaged.
      return false;
    }
    store();
    finish(regionWidth, regionHeight);
    return true;
  }

  private boolean seek(ScanIndex index, int row) throws JpegException {
    return rowsAtOnce == 1
        ? seek(index, row, false)
        : seekWhole(index, row, false, upper) && seekWhole(index, row + 1, true, lower);
  }

  private boolean seek(ScanIndex index, int row, boolean behind) throws JpegException {
    int left = planes.mcuLeft();
    if (!index.find(row, left, planes.mcuRight(), entry)) {
      return false;
    }
    reader.seek(entry, behind);
    reader.skip(row * image.grid().columns() + left - entry.mcu);
    return true;
  }

  private boolean seekWhole(ScanIndex index, int row, boolean behind, RowPairDecoder.Row target)
      throws JpegException {
    if (!seek(index, row, behind) || entry.endBit - entry.startBit > MAX_PAIR_BITS) {
      return false;
    }
    reader.window().fillAll();
    target.startAt(reader);
    return true;
  }
}
