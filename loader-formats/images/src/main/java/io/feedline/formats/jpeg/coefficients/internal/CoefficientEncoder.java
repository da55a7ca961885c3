package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.BAND_ENTRY;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.COLUMNS;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.GROUP_ENTRY;

import io.feedline.formats.jpeg.internal.Coefficients;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.Marker;
import io.feedline.formats.jpeg.internal.McuGrid;
import io.feedline.formats.jpeg.internal.McuTables;
import io.feedline.formats.jpeg.internal.ScanReader;
import java.util.zip.CRC32C;

/** An encoder of one JPEG to a coefficient record. */
final class CoefficientEncoder {

  private final JpegImage image;
  private final McuGrid grid;
  private final int bands;
  private final int groups;
  private final QuantizedBand band;
  private final GrowingBytes out;
  private final SetWriter set;
  private final CRC32C checksum = new CRC32C();

  CoefficientEncoder(JpegImage image) {
    this.image = image;
    grid = image.grid();
    bands = CoefficientLayout.bands(grid);
    groups = CoefficientLayout.groups(grid);
    band = new QuantizedBand(grid);
    // Most records take less room than two JPEGs.
    out = new GrowingBytes(2L * image.data().length);
    set = new SetWriter(out);
  }

  byte[] encode() throws JpegException {
    int tableAt = writeHeader();
    McuTables tables = new McuTables();
    tables.fillQuantized(image);
    ScanReader reader = new ScanReader(tables);
    reader.open(image);
    Coefficients batch = new Coefficients();
    // A batch has only whole rows of groups, 8 MCUs each.
    int mcus = Coefficients.BLOCKS / grid.sampling().blocksPerMcu();
    batch.begin(mcus - mcus % COLUMNS);
    reader.into(batch);
    for (int b = 0; b < bands; b++) {
      band.clear();
      for (int row = 0; row < band.rows(b); row++) {
        readRow(reader, batch, row);
      }
      writeBand(tableAt + BAND_ENTRY * b);
    }
    if (reader.window().marker() != Marker.EOI) {
      throw new JpegException(
          "the JPEG's image data are not followed by its end, but by "
              + Marker.name(reader.window().marker()));
    }
    return finish(tableAt);
  }

  /** Writes the header, and returns the offset of the table of bands. */
  private int writeHeader() {
    byte[] magic = CoefficientLayout.magic();
    out.add(magic, 0, magic.length);
    out.u16(CoefficientLayout.VERSION);
    out.u16(0);
    out.u32(0);
    out.u32(image.scanStart());
    out.u32(bands);
    out.u32(0);
    out.add(image.data(), 0, image.scanStart());
    int tableAt = out.size();
    for (int i = 0; i < bands * BAND_ENTRY; i += Integer.BYTES) {
      out.u32(0);
    }
    return tableAt;
  }

  private void readRow(ScanReader reader, Coefficients batch, int row) throws JpegException {
    for (int column = 0; column < grid.columns(); column += batch.mcusPerBatch()) {
      int count = Math.min(batch.mcusPerBatch(), grid.columns() - column);
      reader.decode(count, 0);
      for (int slot = 0; slot < count; slot += COLUMNS) {
        band.put(batch, row, (column + slot) / COLUMNS, slot);
      }
      batch.clear();
    }
  }

  private void writeBand(int entryAt) {
    int from = out.size();
    for (int group = 0; group < groups; group++) {
      out.u16(0);
    }
    for (int group = 0; group < groups; group++) {
      int begin = out.size();
      for (int block = 0; block < grid.sampling().blocksPerMcu(); block++) {
        set.write(band, group, block);
      }
      out.u16At(from + GROUP_ENTRY * group, out.size() - begin);
    }
    checksum.reset();
    checksum.update(out.array(), from, out.size() - from);
    out.u32At(entryAt, out.size());
    out.u32At(entryAt + 4, (int) checksum.getValue());
  }

  private byte[] finish(int tableAt) {
    out.u32At(CoefficientLayout.LENGTH_AT, out.size());
    CRC32C header = CoefficientRecord.checksum(out.array(), tableAt + BAND_ENTRY * bands);
    out.u32At(CoefficientLayout.CHECKSUM_AT, (int) header.getValue());
    return out.toArray();
  }
}
