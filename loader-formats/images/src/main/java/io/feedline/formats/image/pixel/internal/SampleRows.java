package io.feedline.formats.image.pixel.internal;

import io.feedline.formats.image.pixel.ImageSource.PixelRows;

/** Rows that can also be read as interleaved samples. */
public interface SampleRows extends PixelRows {

  /**
   * Copies a row as interleaved samples.
   *
   * @param y the row, from 0
   * @param samples receives three bytes for each of {@link #width} pixels
   * @param offset the index in {@code samples} of the first byte
   * @param scratch room for a row of packed pixels; arbitrary content afterwards
   */
  void readSamples(int y, byte[] samples, int offset, int[] scratch);

  /** Copies a row of {@code rows} of any class as interleaved samples; see {@link #readSamples}. */
  static void read(PixelRows rows, int y, byte[] samples, int offset, int[] scratch) {
    if (rows instanceof SampleRows direct) {
      direct.readSamples(y, samples, offset, scratch);
    } else {
      rows.read(y, 1, scratch, 0, rows.width());
      PackedRgb.unpack(scratch, 0, samples, offset, rows.width());
    }
  }
}
