package io.feedline.formats.jpeg.internal;

/**
 * A reader of the bits of a scan, as in libjpeg (jdhuff.c). At a marker it returns zeros and
 * reports the end. If the data end without a marker, the reader throws, even if a few bits are
 * left.
 */
final class ScanBits {

  /** The smallest number of bits after a refill, except at the end of the data. */
  private static final int REFILLED = 57;

  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final Segments segments;
  private final byte[] data;

  /** The next bits; they are the lower {@code left} bits. */
  private long bits;

  private int left;
  private boolean exhausted;

  ScanBits(Segments segments) {
    this.segments = segments;
    this.data = segments.data();
  }

  void restart() throws JpegException {
    left = 0;
    segments.restart();
    exhausted &= segments.pending() != 0;
  }

  /** Returns whether zeros were returned because no more data were left. */
  boolean isExhausted() {
    return exhausted;
  }

  /** Returns the next {@code count} bits, 1 to 16. */
  int next(int count) throws JpegException {
    if (left < count) {
      fill(count);
    }
    left -= count;
    return (int) (bits >>> left) & ((1 << count) - 1);
  }

  /** Reads a value of a size, as T.81 defines it (section F.2.2.1, EXTEND). */
  int value(int size) throws JpegException {
    int extra = next(size);
    return extra + (((extra - (1 << (size - 1))) >> 31) & ((-1 << size) + 1));
  }

  /** Reads the next symbol; returns 0 for bits that are not a code. */
  int symbol(SymbolTable table) throws JpegException {
    if (left < SymbolTable.LOOKED_AT) {
      fill(0);
    }
    int length = 1;
    if (left >= SymbolTable.LOOKED_AT) {
      int found = table.lookup[(int) (bits >>> (left - SymbolTable.LOOKED_AT)) & 0xFF];
      if (found != 0) {
        left -= found >> 8;
        return found & 0xFF;
      }
      length = SymbolTable.LOOKED_AT + 1;
    }
    int code = next(length);
    while (!table.isCode(code, length)) {
      code = code << 1 | next(1);
      length++;
    }
    return length == SymbolTable.NO_CODE ? 0 : table.symbol(code, length);
  }

  private void fill(int needed) throws JpegException {
    if (segments.pending() == 0) {
      int at = segments.position();
      while (left < REFILLED) {
        if (at + Long.BYTES <= data.length) {
          long word = (long) EntropyDecoder.BITS.get(data, at);
          if (((~word - LOW_BITS) & word & HIGH_BITS) == 0) {
            int bytes = (Long.SIZE - left) >> 3;
            bits =
                bytes == Long.BYTES ? word : (bits << (8 * bytes)) | (word >>> (8 * (8 - bytes)));
            left += 8 * bytes;
            at += bytes;
            break;
          }
        }
        int value = at < data.length ? data[at++] & 0xFF : end();
        if (value == 0xFF) {
          do {
            value = at < data.length ? data[at++] & 0xFF : end();
          } while (value == 0xFF);
          if (value != 0) {
            segments.pending(value);
            break;
          }
          value = 0xFF;
        }
        bits = bits << 8 | value;
        left += 8;
      }
      segments.position(at);
    }
    if (needed > left) {
      exhausted = true;
      bits <<= REFILLED - left;
      left = REFILLED;
    }
  }

  private int end() throws JpegException {
    segments.position(data.length);
    throw segments.truncated();
  }
}
