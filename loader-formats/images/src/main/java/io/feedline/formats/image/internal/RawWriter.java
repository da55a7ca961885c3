package io.feedline.formats.image.internal;

import static io.feedline.formats.image.internal.RawLayout.CHECKSUM_AT;
import static io.feedline.formats.image.internal.RawLayout.ENTRY;
import static io.feedline.formats.image.internal.RawLayout.TABLE_AT;

import io.feedline.data.FormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A writer of {@linkplain RawRecord raw records}. */
public final class RawWriter {

  /**
   * The rows of a group. With 16 rows, a crop of 224 rows reads 15 rows too many on average, and a
   * group of a small photograph is a block of 16 KB.
   */
  private static final int ROWS = 16;

  private static final int MAX_RECORD = Integer.MAX_VALUE - 64;

  private RawWriter() {}

  /**
   * Returns a record of pixels, given in rows from top to bottom, three bytes a pixel. The record
   * of an image with only gray pixels takes one byte a pixel.
   *
   * @param orientation EXIF's tag, 1 to 8
   * @throws FormatException if the record would have 2 GiB or more
   */
  public static byte[] write(byte[] rgb, int width, int height, int orientation, boolean lz4)
      throws FormatException {
    byte[] pixels = isGray(rgb) ? grays(rgb) : rgb;
    int groups = (height + ROWS - 1) / ROWS;
    int table = TABLE_AT + ENTRY * groups;
    long most = (long) table + pixels.length;
    if (most > MAX_RECORD) {
      throw new FormatException(
          "an image of %d x %d pixels is too large for a raw record, which has less than 2 GiB"
              .formatted(width, height));
    }
    byte[] record = new byte[(int) most];
    ByteBuffer out = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
    int rowBytes = pixels.length / height;
    int at = table;
    for (int group = 0; group < groups; group++) {
      int from = group * ROWS * rowBytes;
      int length = Math.min(ROWS * rowBytes, pixels.length - from);
      // A block as long as the rows would be read as uncompressed rows.
      int packed = lz4 ? Lz4.compress(pixels, from, length, record, at, length - 1) : -1;
      if (packed < 0) {
        System.arraycopy(pixels, from, record, at, length);
        packed = length;
      }
      CRC32C checksum = new CRC32C();
      checksum.update(record, at, packed);
      at += packed;
      out.putInt(TABLE_AT + ENTRY * group, at);
      out.putInt(TABLE_AT + ENTRY * group + 4, (int) checksum.getValue());
    }
    out.putLong(0, RawLayout.MAGIC)
        .putShort(RawLayout.VERSION_AT, (short) RawLayout.VERSION)
        .put(RawLayout.SAMPLES_AT, (byte) (pixels == rgb ? 3 : 1))
        .put(RawLayout.COMPRESSION_AT, (byte) (lz4 ? RawLayout.LZ4 : RawLayout.NO_COMPRESSION))
        .putInt(RawLayout.LENGTH_AT, at)
        .putInt(RawLayout.WIDTH_AT, width)
        .putInt(RawLayout.HEIGHT_AT, height)
        .putShort(RawLayout.ROWS_AT, (short) ROWS)
        .put(RawLayout.ORIENTATION_AT, (byte) orientation);
    CRC32C checksum = new CRC32C();
    checksum.update(record, 0, CHECKSUM_AT);
    checksum.update(record, TABLE_AT, table - TABLE_AT);
    out.putInt(CHECKSUM_AT, (int) checksum.getValue());
    return at == record.length ? record : Arrays.copyOf(record, at);
  }

  private static boolean isGray(byte[] rgb) {
    for (int i = 0; i < rgb.length; i += 3) {
      if (rgb[i] != rgb[i + 1] || rgb[i] != rgb[i + 2]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] grays(byte[] rgb) {
    byte[] grays = new byte[rgb.length / 3];
    for (int i = 0; i < grays.length; i++) {
      grays[i] = rgb[3 * i];
    }
    return grays;
  }
}
