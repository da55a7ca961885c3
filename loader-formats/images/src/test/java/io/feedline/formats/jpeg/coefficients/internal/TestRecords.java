package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.BAND_ENTRY;

import java.util.zip.CRC32C;

/** Coefficient records whose bytes a test has changed. */
final class TestRecords {

  private TestRecords() {}

  /** Makes all checksums right again, as far as the record says where its parts are. */
  static void seal(byte[] record) {
    long header = CoefficientLayout.u32(record, CoefficientLayout.HEADER_LENGTH_AT);
    long bands = CoefficientLayout.u32(record, CoefficientLayout.BANDS_AT);
    long table = CoefficientLayout.HEADER_AT + header;
    if (table + BAND_ENTRY * bands > record.length) {
      // Such a record claims more than it has; only its header can be sealed.
      return;
    }
    long from = table + BAND_ENTRY * bands;
    for (int band = 0; band < bands; band++) {
      int entry = (int) table + BAND_ENTRY * band;
      long end = CoefficientLayout.u32(record, entry);
      if (end >= from && end <= record.length) {
        CRC32C checksum = new CRC32C();
        checksum.update(record, (int) from, (int) (end - from));
        CoefficientLayout.U32.set(record, entry + 4, (int) checksum.getValue());
        from = end;
      }
    }
    CRC32C checksum = CoefficientRecord.checksum(record, (int) (table + BAND_ENTRY * bands));
    CoefficientLayout.U32.set(record, CoefficientLayout.CHECKSUM_AT, (int) checksum.getValue());
  }
}
