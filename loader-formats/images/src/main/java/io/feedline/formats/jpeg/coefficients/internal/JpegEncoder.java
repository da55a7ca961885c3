package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.HEADER_AT;

import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.Marker;
import io.feedline.formats.jpeg.internal.McuTables;

/**
 * An encoder of one coefficient record to a JPEG with the record's header. If a Huffman table lacks
 * a needed code, the tables of T.81, annex K.3, replace all Huffman tables.
 */
final class JpegEncoder {

  private static final int MAX_COMPONENTS = 3;

  /** The number of bytes at the end of a scan's header: spectral selection and approximation. */
  private static final int SCAN_TAIL = 3;

  private final CoefficientRecord record;
  private final JpegImage header;
  private final int components;
  private final HuffmanCodes[] dc = new HuffmanCodes[MAX_COMPONENTS];
  private final HuffmanCodes[] ac = new HuffmanCodes[MAX_COMPONENTS];
  private final GrowingBytes out;

  JpegEncoder(CoefficientRecord record) {
    this.record = record;
    header = record.header();
    out = new GrowingBytes(record.data().length);
    components = header.grid().sampling().components();
  }

  byte[] encode() throws JpegException {
    byte[] data = record.data();
    new McuTables().fill(header);
    for (int c = 0; c < components; c++) {
      dc[c] = HuffmanCodes.of(data, header.component(c).dcTable());
      ac[c] = HuffmanCodes.of(data, header.component(c).acTable());
    }
    out.add(data, HEADER_AT, header.scanStart() - HEADER_AT);
    if (writeScan() >= 0) {
      out.skipTo(0);
      for (int c = 0; c < components; c++) {
        dc[c] = BaselineEncoder.DC[Math.min(1, tableOf(c, true))];
        ac[c] = BaselineEncoder.AC[Math.min(1, tableOf(c, false))];
      }
      writeHeader();
      int lacking = writeScan();
      if (lacking >= 0) {
        throw new JpegException(
            "the coefficient record cannot be written as a JPEG: symbol %02X has no Huffman code"
                .formatted(lacking));
      }
    }
    marker(Marker.EOI);
    return out.toArray();
  }

  /** Writes the scan; returns a symbol that has no code, or -1 if each symbol has a code. */
  private int writeScan() throws JpegException {
    EntropyCoder coder = new EntropyCoder(dc, ac, out);
    coder.write(record);
    return coder.lacking();
  }

  /** Reads the number of a component's DC or AC table from the header of the scan. */
  private int tableOf(int component, boolean dc) {
    int at = header.scanStart() - SCAN_TAIL - 2 * (components - component) + 1;
    int tables = record.data()[at];
    return dc ? tables >> 4 & 15 : tables & 15;
  }

  private void writeHeader() {
    byte[] data = record.data();
    marker(Marker.SOI);
    int at = HEADER_AT + 2;
    while (at < header.scanStart()) {
      int code = Marker.find(data, at, header.scanStart());
      int marker = data[code] & 0xFF;
      int end = Marker.isAlone(marker) ? code + 1 : code + 1 + length(data, code + 1);
      if (marker == Marker.SOS) {
        writeTables();
      }
      if (marker != Marker.DHT) {
        out.add(data, code - 1, end - code + 1);
      }
      at = end;
    }
  }

  private static int length(byte[] data, int at) {
    return (data[at] & 0xFF) << 8 | (data[at + 1] & 0xFF);
  }

  /** Writes the tables of all components; a shared table is written more than once. */
  private void writeTables() {
    for (int c = 0; c < components; c++) {
      dc[c].writeTo(out, tableOf(c, true));
      ac[c].writeTo(out, 1 << 4 | tableOf(c, false));
    }
  }

  private void marker(int marker) {
    out.u8(0xFF);
    out.u8(marker);
  }
}
