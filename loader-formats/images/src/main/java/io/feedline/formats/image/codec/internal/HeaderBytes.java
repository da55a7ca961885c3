package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import java.util.Arrays;

/**
 * The bytes of an encoded image, or a part of them, read as numbers. Reading past the end throws a
 * {@link FormatException} that names the value and its offset.
 */
public final class HeaderBytes {

  private final byte[] data;
  private final int from;
  private final int end;
  private final boolean bigEndian;

  private HeaderBytes(byte[] data, int from, int end, boolean bigEndian) {
    this.data = data;
    this.from = from;
    this.end = end;
    this.bigEndian = bigEndian;
  }

  static HeaderBytes bigEndian(byte[] data) {
    return new HeaderBytes(data, 0, data.length, true);
  }

  public static HeaderBytes littleEndian(byte[] data) {
    return new HeaderBytes(data, 0, data.length, false);
  }

  /** Returns a part, cut where these bytes end; its offsets count from the part's beginning. */
  public HeaderBytes part(int offset, long length, boolean bigEndian) {
    int start = (int) Math.min((long) from + offset, end);
    return new HeaderBytes(data, start, (int) Math.min(start + length, end), bigEndian);
  }

  int length() {
    return end - from;
  }

  public int u8(long offset, String what) throws FormatException {
    require(offset, 1, what);
    return data[from + (int) offset] & 0xFF;
  }

  public int u16(long offset, String what) throws FormatException {
    require(offset, 2, what);
    int at = from + (int) offset;
    int first = data[at] & 0xFF;
    int second = data[at + 1] & 0xFF;
    return bigEndian ? (first << 8) | second : (second << 8) | first;
  }

  public long u32(long offset, String what) throws FormatException {
    long first = u16(offset, what);
    long second = u16(offset + 2, what);
    return bigEndian ? (first << 16) | second : (second << 16) | first;
  }

  /** Reads a number of 8 bytes; from 2^32 on it becomes 2^32 - 1, an offset beyond all data. */
  long u64(long offset, String what) throws FormatException {
    long first = u32(offset, what);
    long second = u32(offset + 4, what);
    long upper = bigEndian ? first : second;
    return upper == 0 ? first + second : 0xFFFFFFFFL;
  }

  /**
   * Reads a palette as 256 packed colors; the colors that are not stored are black, as in Pillow.
   *
   * @param step the number of bytes from a color to the next
   * @param red the place of red within a color, 0 or 2; blue has the other of these places
   */
  int[] palette(long offset, int count, int step, int red, String what) throws FormatException {
    int[] colors = new int[256];
    for (int i = 0; i < count; i++) {
      long at = offset + (long) i * step;
      colors[i] = PackedRgb.of(u8(at + red, what), u8(at + 1, what), u8(at + 2 - red, what));
    }
    return colors;
  }

  byte[] copy(long offset, long count, String what) throws FormatException {
    require(offset, count, what);
    int at = from + (int) offset;
    return Arrays.copyOfRange(data, at, at + (int) count);
  }

  byte[] all() {
    return Arrays.copyOfRange(data, from, end);
  }

  /** Returns whether a signature's bytes are at the offset; each char is one byte. */
  public boolean startsWith(long offset, String signature) {
    if (offset < 0 || offset + signature.length() > length()) {
      return false;
    }
    for (int i = 0; i < signature.length(); i++) {
      if ((data[from + (int) offset + i] & 0xFF) != signature.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private void require(long offset, long bytes, String what) throws FormatException {
    if (offset < 0 || offset + bytes > length()) {
      throw new FormatException(
          "the data ends at byte %d, but %s is at byte %d".formatted(length(), what, offset));
    }
  }
}
