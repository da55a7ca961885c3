package io.feedline.formats.jpeg.internal;

/**
 * A decoder of one scan of blocks, MCU after MCU, into the coefficients of the components
 * (libjpeg's jdcoefct.c, consume_data). Each subclass decodes one kind of coding.
 */
abstract class ScanDecoder {

  private static final int MAX_BLOCKS = 10;

  final Segments segments;
  final Segments.Scan scan;

  /** The number of blocks of the MCU that is being decoded. */
  int blocks;

  /**
   * The component of each block of the MCU; {@link #values} and {@link #start} are the array and
   * the start of the block's coefficients.
   */
  final int[] component = new int[MAX_BLOCKS];

  final short[][] values = new short[MAX_BLOCKS][];
  final int[] start = new int[MAX_BLOCKS];

  private int toRestart;
  private int lastGoodRow;

  ScanDecoder(Segments segments) {
    this.segments = segments;
    this.scan = segments.scan();
    this.toRestart = segments.restartInterval();
  }

  static ScanDecoder of(Segments segments, Progression progression) throws JpegException {
    Frame frame = segments.frame();
    Segments.Scan scan = segments.scan();
    boolean progressive = frame.kind() == Frame.Kind.PROGRESSIVE;
    if (progressive) {
      progression.begin(scan, segments.scans(), segments.position());
    }
    if (scan.components().length > 1) {
      int blocks = 0;
      for (Frame.Component each : scan.components()) {
        blocks += each.across * each.down;
      }
      if (blocks > MAX_BLOCKS) {
        throw Segments.wrong("MCUs of %d blocks".formatted(blocks), segments.position());
      }
    }
    return frame.isArithmetic()
        ? new ArithmeticScan(segments, progressive)
        : new HuffmanScan(segments, progressive);
  }

  /** Decodes the MCU that {@link #values} and {@link #start} describe. */
  abstract void decodeMcu() throws JpegException;

  abstract void restart() throws JpegException;

  /** Returns whether the data have ended, so that nothing more is decoded. */
  abstract boolean isExhausted();

  /** Decodes the whole scan. Returns the last row of MCUs that has data. */
  int decode() throws JpegException {
    Frame frame = segments.frame();
    if (scan.components().length == 1) {
      Frame.Component only = scan.components()[0];
      blocks = 1;
      values[0] = only.values;
      for (int row = 0; row < only.rows; row++) {
        for (int column = 0; column < only.columns; column++) {
          start[0] = 64 * (row * only.stride + column);
          next(row / only.down);
        }
      }
      return lastGoodRow;
    }
    int columns = frame.mcuColumns();
    for (int row = 0; row < frame.mcuRows(); row++) {
      for (int column = 0; column < columns; column++) {
        place(row, column);
        next(row);
      }
    }
    return lastGoodRow;
  }

  private void place(int row, int column) {
    blocks = 0;
    for (int c = 0; c < scan.components().length; c++) {
      Frame.Component each = scan.components()[c];
      for (int y = 0; y < each.down; y++) {
        int first = (row * each.down + y) * each.stride + column * each.across;
        for (int x = 0; x < each.across; x++, blocks++) {
          component[blocks] = c;
          values[blocks] = each.values;
          start[blocks] = 64 * (first + x);
        }
      }
    }
  }

  private void next(int row) throws JpegException {
    if (!isExhausted()) {
      lastGoodRow = row;
    }
    if (segments.restartInterval() > 0) {
      if (toRestart == 0) {
        restart();
        toRestart = segments.restartInterval();
      }
      toRestart--;
    }
    decodeMcu();
  }
}
