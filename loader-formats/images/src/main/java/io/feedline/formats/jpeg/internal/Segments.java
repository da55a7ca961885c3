package io.feedline.formats.jpeg.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reader of all segments of a JPEG, with the tables between its scans, as in libjpeg-turbo
 * (jdmarker.c). Errors of libjpeg-turbo are {@link JpegException}s, and bytes that libjpeg-turbo
 * skips with a warning are skipped. In contrast, {@link HeaderParser} reads only up to the first
 * scan, and copies nothing.
 */
final class Segments {

  private static final int TABLES = 4;
  private static final int ARITHMETIC_TABLES = 16;
  private static final int MAX_COMPONENTS_OF_SCAN = 4;

  enum Found {
    SCAN,
    END,
    /** The data ended without an end marker. */
    NOTHING
  }

  /**
   * A scan header (T.81, section B.2.3). {@code dcTables} and {@code acTables} are the numbers of
   * each component's Huffman or arithmetic tables. {@code from} is the first place, or the
   * predictor of a lossless scan, and {@code to} is the last place. {@code high} is the bit that
   * earlier scans have reached, 0 in a first scan, and {@code low} is the lowest bit of this scan.
   */
  record Scan(
      Frame.Component[] components,
      int[] dcTables,
      int[] acTables,
      int from,
      int to,
      int high,
      int low) {}

  private final byte[] data;
  private int at;

  /** The marker that has been found but not yet processed, or 0. */
  private int pending;

  private @Nullable Frame frame;
  private Scan scan;
  private int scans;
  private int restartInterval;
  private int nextRestart;
  private final int[][] quantizers = new int[TABLES][];
  private final byte[][] dcTables = new byte[TABLES][];
  private final byte[][] acTables = new byte[TABLES][];

  // The conditioning of arithmetic coding (T.81, section F.1.4.4), with its defaults.
  final int[] dcLower = new int[ARITHMETIC_TABLES];
  final int[] dcUpper = new int[ARITHMETIC_TABLES];
  final int[] acThresholds = new int[ARITHMETIC_TABLES];

  Segments(byte[] data) throws JpegException {
    this.data = data;
    if (data.length < 2 || u8(0) != 0xFF || u8(1) != Marker.SOI) {
      throw new JpegException("not a JPEG: it does not begin with FFD8", 0);
    }
    at = 2;
    Arrays.fill(dcUpper, 1);
    Arrays.fill(acThresholds, 5);
  }

  byte[] data() {
    return data;
  }

  int position() {
    return at;
  }

  void position(int offset) {
    at = offset;
  }

  int pending() {
    return pending;
  }

  void pending(int marker) {
    pending = marker;
  }

  /** Returns the frame; null before its header has been read. */
  @Nullable Frame frame() {
    return frame;
  }

  Scan scan() {
    return scan;
  }

  int scans() {
    return scans;
  }

  int restartInterval() {
    return restartInterval;
  }

  /**
   * Returns the 16 counts and the symbols of a Huffman table. If the file does not define the
   * table, as in Motion JPEG, the table is that of T.81, annex K.3.
   */
  byte[] huffmanTable(boolean dc, int table) throws JpegException {
    byte[] defined = table < TABLES ? (dc ? dcTables : acTables)[table] : null;
    if (defined == null && table < 2 && frame.kind() == Frame.Kind.SEQUENTIAL) {
      defined = HuffmanTable.standard(dc, table);
    }
    if (defined == null) {
      throw wrong("no Huffman table %d".formatted(table), at);
    }
    return defined;
  }

  /** Reads segments up to the end of the next scan header, or of the data if no scan follows. */
  Found next() throws JpegException {
    while (true) {
      if (pending == 0 && !findMarker()) {
        return Found.NOTHING;
      }
      int marker = pending;
      if (marker == Marker.EOI) {
        if (scans == 0) {
          throw wrong("%s before any image data".formatted(Marker.name(marker)), at - 2);
        }
        pending = 0;
        return Found.END;
      }
      if (marker == Marker.SOI || !Marker.isKnown(marker)) {
        throw wrong("unexpected %s".formatted(Marker.name(marker)), at - 2);
      }
      if (!Marker.isAlone(marker) && !segment(marker)) {
        return Found.NOTHING;
      }
      pending = 0;
      if (marker == Marker.SOS) {
        return Found.SCAN;
      }
    }
  }

  private boolean findMarker() {
    int found = Marker.find(data, at, data.length);
    at = found < 0 ? data.length : found + 1;
    pending = found < 0 ? 0 : u8(found);
    return found >= 0;
  }

  /**
   * Moves behind the expected restart marker. At another marker, moves to the place at which
   * decoding may continue (libjpeg's jpeg_resync_to_restart).
   */
  void restart() throws JpegException {
    int due = nextRestart;
    nextRestart = (nextRestart + 1) & 7;
    while (true) {
      if (pending == 0 && !findMarker()) {
        throw truncated();
      }
      int ahead = (pending - Marker.RST0 - due) & 7;
      boolean restart = pending >= Marker.RST0 && pending <= Marker.RST0 + 7;
      if (restart && (ahead == 0 || (ahead > 2 && ahead < 6))) {
        pending = 0;
        return;
      }
      boolean stays = restart ? ahead <= 2 : pending >= Marker.SOF0;
      if (stays) {
        // The interval has no data, since the marker belongs to a later place.
        return;
      }
      pending = 0;
    }
  }

  /**
   * Reads a segment as far as its data reach. Returns false if the segment's end is missing. As in
   * libjpeg, errors in the present part are reported first.
   */
  private boolean segment(int marker) throws JpegException {
    if (Marker.isFrame(marker) && frame != null) {
      throw wrong("a second frame header", at - 2);
    }
    if (marker == Marker.SOS && frame == null) {
      throw wrong("a scan before the frame header", at - 2);
    }
    if (!has(at, 2)) {
      return false;
    }
    int from = at + 2;
    int end = at + u16(at);
    if (Marker.hasFreeContent(marker)) {
      // libjpeg ignores a length of 0 or 1, which is invalid.
      at = Math.min(Math.max(from, end), data.length);
      return end <= data.length;
    }
    requireLength(end >= from, marker, from, end);
    boolean whole =
        switch (marker) {
          case Marker.DHT -> huffmanTables(from, end);
          case Marker.DQT -> quantizerTables(from, end);
          case Marker.DAC -> arithmeticConditioning(from, end);
          case Marker.DRI -> restartInterval(from, end);
          case Marker.SOS -> scan(from, end);
          default -> frame(marker, from, end);
        };
    at = end;
    return whole;
  }

  private boolean has(int from, int count) {
    return from + count <= data.length;
  }

  private boolean frame(int marker, int from, int end) throws JpegException {
    if (!has(from, end - from)) {
      return false;
    }
    frame = Frame.parse(marker, data, from, end);
    return true;
  }

  private boolean restartInterval(int from, int end) throws JpegException {
    requireLength(end - from == 2, Marker.DRI, from, end);
    if (!has(from, 2)) {
      return false;
    }
    restartInterval = u16(from);
    return true;
  }

  private boolean huffmanTables(int from, int end) throws JpegException {
    int next = from;
    while (end - next > HuffmanTable.LENGTHS) {
      if (!has(next, 1 + HuffmanTable.LENGTHS)) {
        return false;
      }
      int header = u8(next);
      int length = HuffmanTable.definitionLength(data, next + 1);
      int behind = next + 1 + length;
      if (behind > end || length > HuffmanTable.LENGTHS + HuffmanTable.MAX_VALUES) {
        throw wrong("a Huffman table that is too long", next);
      }
      if (!has(next, 1 + length)) {
        return false;
      }
      int table = header & 15;
      if (header > 0x1F || table >= TABLES) {
        throw wrong("Huffman table %02X instead of 00 to 03 or 10 to 13".formatted(header), next);
      }
      byte[][] tables = header >> 4 == 0 ? dcTables : acTables;
      tables[table] = Arrays.copyOfRange(data, next + 1, behind);
      next = behind;
    }
    requireLength(next == end, Marker.DHT, from, end);
    return true;
  }

  private boolean quantizerTables(int from, int end) throws JpegException {
    int next = from;
    while (next < end) {
      if (!has(next, 1)) {
        return false;
      }
      int table = u8(next) & 15;
      int size = u8(next) >> 4 == 0 ? 1 : 2;
      if (table >= TABLES) {
        throw wrong("quantizer table %02X".formatted(u8(next)), next);
      }
      if (!has(next, 1 + 64 * size)) {
        return false;
      }
      int[] values = new int[64];
      for (int k = 0; k < 64; k++) {
        int at = next + 1 + k * size;
        values[McuTables.frequency(k)] = size == 1 ? u8(at) : u16(at);
      }
      quantizers[table] = values;
      next += 1 + 64 * size;
    }
    requireLength(next == end, Marker.DQT, from, end);
    return true;
  }

  private boolean arithmeticConditioning(int from, int end) throws JpegException {
    for (int i = from; i < end; i += 2) {
      if (!has(i, 2)) {
        return false;
      }
      int table = u8(i);
      int value = u8(i + 1);
      boolean dc = table < ARITHMETIC_TABLES;
      if (table >= 2 * ARITHMETIC_TABLES || (dc && (value & 15) > value >> 4)) {
        throw wrong("arithmetic conditioning %02X of table %02X".formatted(value, table), i);
      }
      if (dc) {
        dcLower[table] = value & 15;
        dcUpper[table] = value >> 4;
      } else {
        acThresholds[table - ARITHMETIC_TABLES] = value;
      }
    }
    requireLength((end - from) % 2 == 0, Marker.DAC, from, end);
    return true;
  }

  private boolean scan(int from, int end) throws JpegException {
    if (!has(from, 1)) {
      return false;
    }
    int count = u8(from);
    boolean possible = count >= 1 && count <= MAX_COMPONENTS_OF_SCAN;
    requireLength(possible && end - from == 4 + 2 * count, Marker.SOS, from, end);
    Frame.Component[] found = new Frame.Component[count];
    int[] dc = new int[count];
    int[] ac = new int[count];
    for (int i = 0; i < count; i++) {
      int entry = from + 1 + 2 * i;
      if (!has(entry, 2)) {
        return false;
      }
      found[i] = component(found, u8(entry), entry);
      dc[i] = u8(entry + 1) >> 4;
      ac[i] = u8(entry + 1) & 15;
    }
    int last = from + 1 + 2 * count;
    if (!has(last, 3)) {
      return false;
    }
    scan = new Scan(found, dc, ac, u8(last), u8(last + 1), u8(last + 2) >> 4, u8(last + 2) & 15);
    scans++;
    nextRestart = 0;
    for (Frame.Component each : found) {
      if (each.quantizers == null && frame.kind() != Frame.Kind.LOSSLESS) {
        int[] values = each.quantizerTable < TABLES ? quantizers[each.quantizerTable] : null;
        if (values == null) {
          throw wrong("no quantizer table " + each.quantizerTable, from);
        }
        each.quantizers = values;
      }
    }
    return true;
  }

  /** Returns the component with a name; if several have the name, the first not yet in the scan. */
  private Frame.Component component(Frame.Component[] found, int name, int where)
      throws JpegException {
    for (int c = 0; c < frame.components.length; c++) {
      Frame.Component each = frame.components[c];
      // libjpeg tests the component's place in the frame, not in the scan.
      if (each.name == name && (c >= found.length || found[c] == null)) {
        if (Arrays.asList(found).contains(each)) {
          break;
        }
        return each;
      }
    }
    throw wrong("a scan of component %d, which is not there, or twice".formatted(name), where);
  }

  JpegException truncated() {
    return new JpegException(
        "the JPEG is truncated: its data end without an EOI marker", data.length);
  }

  private int u8(int offset) {
    return data[offset] & 0xFF;
  }

  private int u16(int offset) {
    return u8(offset) << 8 | u8(offset + 1);
  }

  static JpegException wrong(String found, int offset) {
    return new JpegException("the JPEG is damaged: " + found, offset);
  }

  private static void requireLength(boolean fits, int marker, int from, int end)
      throws JpegException {
    if (!fits) {
      throw wrong("%d bytes behind %s".formatted(end - from, Marker.name(marker)), from);
    }
  }
}
