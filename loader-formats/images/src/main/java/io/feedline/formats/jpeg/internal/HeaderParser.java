package io.feedline.formats.jpeg.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a JPEG's segments (ITU-T T.81, annex B) up to the entropy-coded data of the first
 * scan, as in libjpeg. It throws a {@link JpegException} if libjpeg would refuse the image. For an
 * image that only {@link WholeDecoder} can decode, {@link #unsupported} has the reason.
 */
final class HeaderParser {

  private static final int TABLES = 4;
  private static final int ABSENT = 0;
  private static final int ARITHMETIC_TABLES = 16;

  private static final int SOI_LENGTH = 2;

  /** The shortest JFIF segment that counts (libjpeg's APP0_DATA_LEN). */
  private static final int JFIF_LENGTH = 14;

  /** The shortest Adobe segment that counts (libjpeg's APP14_DATA_LEN). */
  private static final int ADOBE_LENGTH = 12;

  private static final int ADOBE_TRANSFORM = 11;
  private static final byte[] JFIF = "JFIF\0".getBytes(US_ASCII);
  private static final byte[] ADOBE = "Adobe".getBytes(US_ASCII);

  private static final int MAX_BASELINE_QUANTISER = 255;

  final byte[] data;
  private final int limit;
  String unsupported;

  int width;
  int height;
  int components;
  private int frameAt;
  private final int[] ids = new int[3];
  private final int[] horizontal = new int[3];
  private final int[] vertical = new int[3];
  private final int[] quantizers = new int[3];

  // The offset of each table's content; the last definition of a table counts.
  private final int[] dcTables = new int[TABLES];
  private final int[] acTables = new int[TABLES];
  private final int[] quantizerTables = new int[TABLES];
  private final boolean[] wideQuantizers = new boolean[TABLES];

  private boolean jfif;
  private boolean adobe;
  private int adobeTransform;
  int restartInterval;
  int scanStart;
  Sampling sampling;
  boolean rgb;
  JpegImage.Component[] scan;

  HeaderParser(byte[] data, int from, int limit) throws JpegException {
    this.data = data;
    this.limit = limit;
    if (limit - from < SOI_LENGTH || u8(from) != 0xFF || u8(from + 1) != Marker.SOI) {
      throw new JpegException("not a JPEG: it does not begin with FFD8", from);
    }
    int at = from + SOI_LENGTH;
    while (unsupported == null && scan == null) {
      at = segment(nextMarker(at));
    }
  }

  /** Returns the offset of the next marker's code byte, after fill bytes and unknown bytes. */
  private int nextMarker(int from) throws JpegException {
    int found = Marker.find(data, from, limit);
    if (found < 0) {
      throw truncated(limit);
    }
    return found;
  }

  /** Reads the segment whose marker has its code byte at the offset; returns its end. */
  private int segment(int markerAt) throws JpegException {
    int marker = u8(markerAt);
    if (marker == Marker.SOI || marker == Marker.EOI) {
      throw new JpegException(
          "%s before any image data".formatted(Marker.name(marker)), markerAt - 1);
    }
    if (!Marker.isKnown(marker)) {
      throw wrong(Marker.name(marker) + ", which no JPEG of a known kind has", markerAt - 1);
    }
    if (Marker.isAlone(marker)) {
      return markerAt + 1;
    }
    int lengthAt = markerAt + 1;
    if (lengthAt + 2 > limit) {
      throw truncated(limit);
    }
    int end = lengthAt + u16(lengthAt);
    if (end < lengthAt + 2) {
      if (!Marker.hasFreeContent(marker)) {
        throw wrong("a length of " + u16(lengthAt) + " behind " + Marker.name(marker), lengthAt);
      }
      // libjpeg takes a length below 2 for 2.
      end = lengthAt + 2;
    }
    if (end > limit) {
      throw truncated(limit);
    }
    int from = lengthAt + 2;
    if (Marker.isFrame(marker)) {
      frame(marker, from, end);
    } else {
      switch (marker) {
        case Marker.DHT -> huffmanTables(from, end);
        case Marker.DQT -> quantizerTables(from, end);
        case Marker.DAC -> arithmeticConditioning(from, end);
        case Marker.DRI -> restartInterval(from, end);
        case Marker.APP0 -> jfif |= end - from >= JFIF_LENGTH && startsWith(from, JFIF);
        case Marker.APP14 -> adobe(from, end);
        case Marker.SOS -> scan(from, end);
        default -> {
          // Comments and segments that decoding does not need are skipped.
        }
      }
    }
    return end;
  }

  private void frame(int marker, int from, int end) throws JpegException {
    if (frameAt != ABSENT) {
      throw wrong("a second frame header", from);
    }
    frameAt = from;
    requireLength(end - from >= 6, "frame header", from, end);
    int precision = u8(from);
    height = u16(from + 1);
    width = u16(from + 3);
    components = u8(from + 5);
    if (width == 0 || components == 0) {
      throw wrong("a frame of width %d with %d components".formatted(width, components), from);
    }
    if (width > Frame.MAX_SIDE || height > Frame.MAX_SIDE) {
      throw wrong("a side of more than %d: %d x %d".formatted(Frame.MAX_SIDE, width, height), from);
    }
    requireLength(end - from == 6 + 3 * components, "frame header", from, end);
    if (marker == Marker.SOF2) {
      unsupported = "progressive";
    } else if (marker >= Marker.SOF9) {
      unsupported = "arithmetic coding";
    } else if (marker != Marker.SOF0 && marker != Marker.SOF1) {
      unsupported = marker == Marker.SOF3 ? JpegImage.LOSSLESS : "hierarchical";
    } else if (precision != 8) {
      unsupported = precision + " bits per sample";
    } else if (height == 0) {
      unsupported = "a height that only follows the image data (DNL)";
    } else if (components != 1 && components != 3) {
      unsupported = components + " components";
    } else {
      components(from + 6);
    }
  }

  private void components(int from) throws JpegException {
    for (int c = 0; c < components; c++) {
      int at = from + 3 * c;
      ids[c] = u8(at);
      horizontal[c] = u8(at + 1) >> 4;
      vertical[c] = u8(at + 1) & 15;
      quantizers[c] = u8(at + 2);
      if (horizontal[c] < 1 || horizontal[c] > 4 || vertical[c] < 1 || vertical[c] > 4) {
        throw wrong(
            "sampling factors %d x %d instead of 1 to 4".formatted(horizontal[c], vertical[c]), at);
      }
      if (quantizers[c] >= TABLES) {
        throw wrong("quantizer table " + quantizers[c] + " instead of 0 to 3", at);
      }
    }
    sampling = sampling();
    if (sampling == null) {
      unsupported =
          "the sampling factors %s x %s"
              .formatted(Arrays.toString(horizontal), Arrays.toString(vertical));
    }
  }

  private @Nullable Sampling sampling() {
    if (components == 1) {
      return Sampling.GRAY;
    }
    if (horizontal[1] != 1 || vertical[1] != 1 || horizontal[2] != 1 || vertical[2] != 1) {
      return null;
    }
    for (Sampling known : Sampling.values()) {
      if (known.components() == components
          && known.horizontal() == horizontal[0]
          && known.vertical() == vertical[0]) {
        return known;
      }
    }
    return null;
  }

  private void huffmanTables(int from, int end) throws JpegException {
    int at = from;
    while (at < end) {
      int header = u8(at);
      int table = header & 15;
      if (header > 0x1F || table >= TABLES) {
        throw wrong("Huffman table %02X instead of 00 to 03 or 10 to 13".formatted(header), at);
      }
      requireLength(end - at >= 1 + HuffmanTable.LENGTHS, "Huffman table", at, end);
      int values = 0;
      for (int i = 1; i <= HuffmanTable.LENGTHS; i++) {
        values += u8(at + i);
      }
      int next = at + 1 + HuffmanTable.LENGTHS + values;
      if (values > HuffmanTable.MAX_VALUES || next > end) {
        throw wrong("a Huffman table of " + values + " codes", at);
      }
      (header >> 4 == 0 ? dcTables : acTables)[table] = at + 1;
      at = next;
    }
  }

  private void quantizerTables(int from, int end) throws JpegException {
    int at = from;
    while (at < end) {
      int table = u8(at) & 15;
      int precision = u8(at) >> 4;
      if (table >= TABLES || precision > 1) {
        throw wrong("quantizer table %02X".formatted(u8(at)), at);
      }
      int next = at + 1 + (64 << precision);
      requireLength(next <= end, "quantizer table", at, end);
      quantizerTables[table] = at + 1;
      wideQuantizers[table] = precision == 1;
      at = next;
    }
  }

  /**
   * Checks a segment that no Huffman-coded image needs (T.81, section B.2.4.3), because libjpeg
   * refuses images in which the segment is wrong.
   */
  private void arithmeticConditioning(int from, int end) throws JpegException {
    requireLength((end - from) % 2 == 0, "arithmetic conditioning", from, end);
    for (int at = from; at < end; at += 2) {
      int table = u8(at);
      int value = u8(at + 1);
      boolean dc = table < ARITHMETIC_TABLES;
      if (table >= 2 * ARITHMETIC_TABLES || (dc && (value & 15) > value >> 4)) {
        throw wrong("arithmetic conditioning %02X of table %02X".formatted(value, table), at);
      }
    }
  }

  private void restartInterval(int from, int end) throws JpegException {
    requireLength(end - from == 2, "restart interval", from, end);
    restartInterval = u16(from);
  }

  private void adobe(int from, int end) {
    if (end - from >= ADOBE_LENGTH && startsWith(from, ADOBE)) {
      adobe = true;
      adobeTransform = u8(from + ADOBE_TRANSFORM);
    }
  }

  /**
   * Reads the scan header (T.81, section B.2.3). Its last three bytes are ignored, as in libjpeg,
   * because some writers leave them 0.
   */
  private void scan(int from, int end) throws JpegException {
    if (frameAt == ABSENT) {
      throw wrong("a scan before the frame header", from);
    }
    requireLength(end - from >= 1, "scan header", from, end);
    int count = u8(from);
    requireLength(end - from == 4 + 2 * count, "scan header", from, end);
    if (count < 1 || count > 4) {
      throw wrong("a scan of " + count + " components", from);
    }
    if (count != components) {
      unsupported = "components in several scans";
      return;
    }
    JpegImage.Component[] found = new JpegImage.Component[count];
    for (int c = 0; c < count && unsupported == null; c++) {
      found[c] = component(c, from + 1 + 2 * c);
    }
    if (unsupported == null) {
      rgb = isRgb();
      scanStart = end;
      scan = found;
    }
  }

  private JpegImage.Component component(int c, int at) throws JpegException {
    int dc = u8(at + 1) >> 4;
    int ac = u8(at + 1) & 15;
    if (dc >= TABLES || ac >= TABLES) {
      throw wrong("Huffman tables %d and %d instead of 0 to 3".formatted(dc, ac), at + 1);
    }
    int quantizerTable = quantizerTables[quantizers[c]];
    if (quantizerTable == ABSENT) {
      throw wrong("no quantizer table " + quantizers[c], at);
    }
    if (u8(at) != ids[c] || (c > 0 && ids[c] == ids[c - 1]) || (c > 1 && ids[c] == ids[0])) {
      unsupported = "components of equal names or in another order than in the frame header";
    } else if (dcTables[dc] == ABSENT || acTables[ac] == ABSENT) {
      unsupported = "no Huffman tables of its own (Motion JPEG)";
    }
    return new JpegImage.Component(
        dcTables[dc], acTables[ac], quantizerValues(quantizerTable, wideQuantizers[quantizers[c]]));
  }

  private int[] quantizerValues(int from, boolean wide) {
    int[] values = new int[64];
    for (int k = 0; k < values.length; k++) {
      values[k] = wide ? u16(from + 2 * k) : u8(from + k);
      if (values[k] > MAX_BASELINE_QUANTISER) {
        unsupported = "quantizers above " + MAX_BASELINE_QUANTISER;
      }
    }
    return values;
  }

  /** Returns whether three components are RGB by libjpeg's guess (default_decompress_parms). */
  private boolean isRgb() {
    if (components != 3 || jfif) {
      return false;
    }
    return adobe ? adobeTransform == 0 : ids[0] == 'R' && ids[1] == 'G' && ids[2] == 'B';
  }

  private int u8(int at) {
    return data[at] & 0xFF;
  }

  private int u16(int at) {
    return u8(at) << 8 | u8(at + 1);
  }

  private boolean startsWith(int at, byte[] prefix) {
    return Arrays.equals(data, at, at + prefix.length, prefix, 0, prefix.length);
  }

  private static JpegException truncated(int at) {
    return new JpegException("the JPEG is truncated: its header is not complete", at);
  }

  private static JpegException wrong(String found, int at) {
    return new JpegException("the JPEG's header is corrupt: " + found, at);
  }

  private static void requireLength(boolean fits, String segment, int from, int end)
      throws JpegException {
    if (!fits) {
      throw wrong("%d bytes are no length for a %s".formatted(end - from, segment), from);
    }
  }
}
