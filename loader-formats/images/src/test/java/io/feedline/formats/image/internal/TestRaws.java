package io.feedline.formats.image.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/** Raw records of tests: those that raw.py made, random ones, and what makes checksums right. */
public final class TestRaws {

  /** The fixtures, without their extensions. */
  static final List<String> FIXTURES =
      List.of("rgb_2x2", "rgb_7x21", "rgb_7x21_rows5_turned", "gray_9x40_lz4");

  private TestRaws() {}

  /** Returns a file that raw.py made. */
  public static byte[] fixture(String name) {
    try (InputStream in = TestRaws.class.getResourceAsStream("raw/" + name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Pixels with runs and noise, three bytes each. */
  public static byte[] pixels(int width, int height, boolean gray, Random random) {
    byte[] rgb = new byte[3 * width * height];
    for (int i = 0; i < rgb.length; i += 3) {
      boolean repeats = i >= 3 && random.nextInt(4) > 0;
      for (int c = 0; c < 3; c++) {
        rgb[i + c] = repeats ? rgb[i + c - 3] : gray && c > 0 ? rgb[i] : (byte) random.nextInt();
      }
    }
    return rgb;
  }

  /** Corrects all checksums that the record's offsets allow to find. */
  public static void seal(byte[] record) {
    ByteBuffer in = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
    long rows = in.getShort(RawLayout.ROWS_AT) & 0xFFFF;
    long height = Integer.toUnsignedLong(in.getInt(RawLayout.HEIGHT_AT));
    long groups = rows == 0 ? 0 : (height + rows - 1) / rows;
    long end = RawLayout.TABLE_AT + RawLayout.ENTRY * groups;
    if (end > record.length) {
      return;
    }
    long from = end;
    for (int at = RawLayout.TABLE_AT; at < end; at += RawLayout.ENTRY) {
      long to = Integer.toUnsignedLong(in.getInt(at));
      if (to >= from && to <= record.length) {
        CRC32C checksum = new CRC32C();
        checksum.update(record, (int) from, (int) (to - from));
        in.putInt(at + 4, (int) checksum.getValue());
        from = to;
      }
    }
    CRC32C checksum = new CRC32C();
    checksum.update(record, 0, RawLayout.CHECKSUM_AT);
    checksum.update(record, RawLayout.TABLE_AT, (int) end - RawLayout.TABLE_AT);
    in.putInt(RawLayout.CHECKSUM_AT, (int) checksum.getValue());
  }
}
