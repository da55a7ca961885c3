package io.feedline.formats.jpeg.internal;

/** A reader of MCUs across restart markers (T.81, section E.2.4) that reports where damage is. */
public final class ScanReader {

  private static final int RESTART_MARKERS = 8;
  private static final int NO_RESTARTS = Integer.MAX_VALUE;

  private final EntropyWindow window = new EntropyWindow();
  private final McuTables tables;
  private final EntropyDecoder decoder;

  private JpegImage image;
  private int columns;
  private int total;

  private int mcu;
  private int mcusToRestart;
  private int restarts;
  private ScanIndexRecorder recorder;

  public ScanReader(McuTables tables) {
    this.tables = tables;
    this.decoder = new EntropyDecoder(window, tables);
  }

  /** Begins at the first MCU. The tables must have been filled for the image. */
  public void open(JpegImage image) {
    this.image = image;
    columns = image.grid().columns();
    total = columns * image.grid().rows();
    mcu = 0;
    restarts = 0;
    mcusToRestart = image.restartInterval() == 0 ? NO_RESTARTS : image.restartInterval();
    recorder = null;
    window.open(image.data(), image.scanStart(), image.data().length);
    decoder.start();
  }

  public void into(Coefficients target) {
    decoder.into(target);
  }

  void record(ScanIndexRecorder recorder) {
    this.recorder = recorder;
  }

  /**
   * Continues at the MCU of an index's entry, up to the entry's {@code endBit}. If {@code behind}
   * is true, the bytes that are already in the window stay at their positions.
   */
  void seek(ScanIndex.Entry entry, boolean behind) {
    mcu = entry.mcu;
    int interval = image.restartInterval();
    restarts = interval == 0 ? 0 : mcu / interval;
    mcusToRestart = interval == 0 ? NO_RESTARTS : interval - mcu % interval;
    int stop = byteOf(entry.endBit + 7);
    int from = Math.min(byteOf(entry.startBit), stop);
    if (behind) {
      window.openBehind(from, stop);
    } else {
      window.open(image.data(), from, stop);
    }
    decoder.startAt((int) entry.startBit & 7, entry.predictions);
  }

  private int byteOf(long bit) {
    return (int) Math.min(image.scanStart() + (bit >>> 3), image.data().length);
  }

  public EntropyWindow window() {
    return window;
  }

  EntropyDecoder decoder() {
    return decoder;
  }

  /** Decodes the next MCUs into the slots from {@code slot} on. */
  public void decode(int count, int slot) throws JpegException {
    read(count, slot, false);
  }

  void skip(int count) throws JpegException {
    if (count > 0) {
      tables.fillSkip();
      read(count, 0, true);
    }
  }

  private void read(int count, int slot, boolean skip) throws JpegException {
    int left = count;
    int to = slot;
    while (left > 0) {
      if (mcusToRestart == 0) {
        restart();
      }
      int run = Math.min(left, mcusToRestart);
      // A run ends with the row, so that DC values are checked there in any case.
      run = Math.min(run, columns - mcu % columns);
      if (recorder != null) {
        run = Math.min(run, recorder.arriveAt(mcu, this));
      }
      int done = skip ? decoder.skip(run) : decoder.decode(run, to);
      if (done < run) {
        throw damaged(describe(decoder.failure()), mcu + done);
      }
      mcu += run;
      to += run;
      left -= run;
      if (mcusToRestart != NO_RESTARTS) {
        mcusToRestart -= run;
      }
      if (mcu % columns == 0) {
        requireCredibleDc();
      }
    }
    if (mcu == total) {
      requireNothingLeft(Marker.name(Marker.EOI));
      requireEnd();
    }
  }

  /** Checks that only comments and the end follow the last MCU, as libjpeg may require. */
  private void requireEnd() throws JpegException {
    byte[] data = image.data();
    int marker = window.marker();
    int at = window.behindMarker();
    while (Marker.hasFreeContent(marker) && at + 1 < data.length) {
      at += Math.max(2, (data[at] & 0xFF) << 8 | (data[at + 1] & 0xFF));
      while (at < data.length && data[at] != (byte) 0xFF) {
        at++;
      }
      while (at < data.length && data[at] == (byte) 0xFF) {
        at++;
      }
      marker = at < data.length ? data[at] & 0xFF : Marker.NONE;
      at++;
    }
    if (marker != Marker.NONE && marker != Marker.EOI) {
      throw damaged("the image data end with " + Marker.name(marker), mcu - 1);
    }
  }

  /** Returns the position of the next MCU in the file, in bits from the beginning of the scan. */
  long bitPosition() {
    long bit = decoder.consumedBits();
    return 8L * (window.sourceOffset((int) (bit >>> 3)) - image.scanStart()) + (bit & 7);
  }

  int[] predictions() {
    return decoder.predictions();
  }

  private void restart() throws JpegException {
    int expected = Marker.RST0 + restarts % RESTART_MARKERS;
    requireNothingLeft(Marker.name(expected));
    if (window.marker() != expected) {
      throw damaged(
          "%s instead of %s".formatted(Marker.name(window.marker()), Marker.name(expected)), mcu);
    }
    restarts++;
    mcusToRestart = image.restartInterval();
    window.openNext();
    decoder.start();
  }

  /**
   * Checks that less than a byte is left. Up to 7 bits of padding may precede a marker (T.81,
   * section F.1.2.3); more bits mean that MCUs were misread.
   */
  private void requireNothingLeft(String before) throws JpegException {
    decoder.makeReadable();
    long left = 8L * window.end() - decoder.consumedBits();
    if (left >= 8 || !window.complete()) {
      throw damaged("bytes that no MCU needs are left before " + before, mcu - 1);
    }
  }

  /** Checks that DC values, which have 12 bits for 8-bit samples, do not exceed 16 bits. */
  private void requireCredibleDc() throws JpegException {
    for (int dc : decoder.predictions()) {
      if (dc != (short) dc) {
        throw damaged("a DC value of " + dc, mcu - 1);
      }
    }
  }

  private String describe(EntropyDecoder.Failure failure) {
    return switch (failure) {
      case ENDS_EARLY ->
          window.marker() == Marker.NONE
              ? "the image data are truncated"
              : "the image data end early, before " + Marker.name(window.marker());
      case NO_SUCH_CODE -> "the bits are no Huffman code";
      case TOO_MANY_COEFFICIENTS -> "a block has more than 64 coefficients";
    };
  }

  private JpegException damaged(String what, int where) {
    int offset = window.sourceOffset((int) (decoder.consumedBits() >>> 3));
    return new JpegException("the JPEG is damaged: " + what, offset, where, columns);
  }
}
