package io.feedline.formats.jpeg.internal;

import java.util.Arrays;

/**
 * A decoder of a scan of a lossless JPEG (T.81, annex H), whose samples are stored as differences
 * from their neighbors, as in libjpeg-turbo (jdlhuff.c, jddiffct.c, jdlossls.c).
 */
final class LosslessScan {

  private static final int MAX_SYMBOL = 16;
  private static final int BITS = 8;

  private final Segments segments;
  private final Segments.Scan scan;
  private final ScanBits bits;
  private final SymbolTable[] tables;
  private final boolean[] first;

  LosslessScan(Segments segments) throws JpegException {
    this.segments = segments;
    this.scan = segments.scan();
    this.bits = new ScanBits(segments);
    int components = scan.components().length;
    this.tables = new SymbolTable[components];
    this.first = new boolean[components];
    if (segments.frame().isArithmetic()
        || scan.from() < 1
        || scan.from() > 7
        || scan.to() != 0
        || scan.high() != 0
        || scan.low() >= BITS) {
      throw Segments.wrong(
          "a lossless scan of predictor %d and bit %d".formatted(scan.from(), scan.low()),
          segments.position());
    }
    for (int c = 0; c < components; c++) {
      tables[c] = new SymbolTable(segments.huffmanTable(true, scan.dcTables()[c]), MAX_SYMBOL);
    }
  }

  void decode() throws JpegException {
    Frame frame = segments.frame();
    boolean single = scan.components().length == 1;
    Frame.Component only = scan.components()[0];
    int columns = single ? only.columns : frame.mcuColumns();
    int rows = single ? only.rows : frame.mcuRows();
    if (segments.restartInterval() % columns != 0) {
      throw Segments.wrong(
          "a restart interval of %d in rows of %d".formatted(segments.restartInterval(), columns),
          segments.position());
    }
    int interval = segments.restartInterval() / columns;
    Arrays.fill(first, true);
    for (int row = 0; row < rows; row++) {
      if (interval > 0 && row > 0 && row % interval == 0) {
        bits.restart();
        Arrays.fill(first, true);
      }
      readDifferences(row, columns, single);
      for (int c = 0; c < first.length; c++) {
        Frame.Component each = scan.components()[c];
        int height = single ? 1 : each.down;
        for (int y = row * height; y < Math.min(each.rows, (row + 1) * height); y++) {
          addPredictions(c, y);
        }
      }
    }
    for (Frame.Component each : scan.components()) {
      for (int i = 0; i < each.values.length && scan.low() > 0; i++) {
        each.values[i] = (short) (each.values[i] << scan.low());
      }
    }
  }

  private void readDifferences(int row, int columns, boolean single) throws JpegException {
    boolean exhausted = bits.isExhausted();
    if (exhausted) {
      Arrays.fill(first, true);
    }
    for (int column = 0; column < columns; column++) {
      for (int c = 0; c < tables.length; c++) {
        Frame.Component each = scan.components()[c];
        int across = single ? 1 : each.across;
        int down = single ? 1 : each.down;
        for (int y = 0; y < down; y++) {
          int at = (row * down + y) * each.stride + column * across;
          for (int x = 0; x < across; x++) {
            each.values[at + x] = exhausted ? 0 : (short) difference(tables[c]);
          }
        }
      }
    }
  }

  private int difference(SymbolTable table) throws JpegException {
    int size = bits.symbol(table);
    return size == 0 ? 0 : size == MAX_SYMBOL ? 1 << 15 : bits.value(size);
  }

  private void addPredictions(int c, int y) {
    Frame.Component each = scan.components()[c];
    short[] to = each.values;
    int at = y * each.stride;
    if (first[c]) {
      to[at] += (short) (1 << (BITS - scan.low() - 1));
      for (int x = 1; x < each.columns; x++) {
        to[at + x] += to[at + x - 1];
      }
      first[c] = false;
      return;
    }
    int up = at - each.stride;
    to[at] += to[up];
    for (int x = 1; x < each.columns; x++) {
      int left = to[at + x - 1] & 0xFFFF;
      int above = to[up + x] & 0xFFFF;
      int corner = to[up + x - 1] & 0xFFFF;
      int predicted =
          switch (scan.from()) {
            case 1 -> left;
            case 2 -> above;
            case 3 -> corner;
            case 4 -> left + above - corner;
            case 5 -> left + ((above - corner) >> 1);
            case 6 -> above + ((left - corner) >> 1);
            default -> (left + above) >> 1;
          };
      to[at + x] += (short) predicted;
    }
  }
}
