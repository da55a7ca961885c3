package io.feedline.formats.jpeg.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A part of a scan's entropy-coded data, up to the next marker, without byte stuffing. In a file a
 * zero follows each data byte FF, and more FFs may precede a marker (ITU-T T.81, sections B.1.1.2
 * and B.1.1.5); both are removed. {@value #PADDING} zeros follow the last byte, so that a reader
 * checks for the end only once per MCU.
 */
public final class EntropyWindow {

  /**
   * The number of bytes that may be read after the end of the data if an MCU begins within the
   * data: the bytes of one MCU and of one more word.
   */
  static final int PADDING = McuTables.MAX_MCU_BYTES + 2 * Long.BYTES;

  /** The number of bytes copied from the file at once; at most so many are copied in vain. */
  private static final int CHUNK = 8 << 10;

  /** The number of bytes already read at which they are removed from the window. */
  private static final int MANY = 256 << 10;

  /** The largest array to keep; only indexed rows of huge images need a larger array. */
  private static final int KEPT = 4 << 20;

  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] source;
  private int next;
  private int stop;

  private byte[] bytes = new byte[4 * CHUNK];
  private int begin;
  private int end;
  private boolean complete;
  private int marker;

  /** The offset in the file of the byte at {@link #begin}. */
  private int origin;

  // From position gapAt[i] on, gapTotal[i] stuffed zeros have been removed so far.
  private int[] gapAt = new int[256];
  private int[] gapTotal = new int[256];
  private int gaps;

  void open(byte[] source, int from, int stop) {
    if (bytes.length > KEPT) {
      bytes = new byte[4 * CHUNK];
    }
    this.source = source;
    this.stop = stop;
    start(0, from);
  }

  /** Opens another part of the same file. The bytes in the window stay at their positions. */
  void openBehind(int from, int stop) {
    this.stop = stop;
    start(end + PADDING, from);
  }

  void openNext() {
    start(0, next + 2);
  }

  private void start(int at, int from) {
    next = from;
    begin = at;
    end = at;
    complete = false;
    marker = Marker.NONE;
    origin = from;
    gaps = 0;
  }

  byte[] bytes() {
    return bytes;
  }

  int begin() {
    return begin;
  }

  int end() {
    return end;
  }

  boolean complete() {
    return complete;
  }

  /** Returns the marker that ended the data; {@link Marker#NONE} if no marker follows. */
  public int marker() {
    return marker;
  }

  int behindMarker() {
    return next + 2;
  }

  /** Returns the last position from which an MCU can be read without more data. */
  int limit() {
    return complete ? end : end - PADDING;
  }

  /** Returns the offset in the file of the byte at a position of this window. */
  int sourceOffset(int position) {
    int at = Math.min(position, end);
    return origin + at - begin + gapBefore(at);
  }

  private int gapBefore(int position) {
    int low = 0;
    int high = gaps;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (gapAt[middle] <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? 0 : gapTotal[low - 1];
  }

  private void addGap(int position) {
    if (gaps == gapAt.length) {
      gapAt = Arrays.copyOf(gapAt, 2 * gaps);
      gapTotal = Arrays.copyOf(gapTotal, 2 * gaps);
    }
    gapAt[gaps] = position;
    gapTotal[gaps] = gaps == 0 ? 1 : gapTotal[gaps - 1] + 1;
    gaps++;
  }

  /** Reads more data; keeps 8 bytes before {@code position}, and returns where they end now. */
  int fill(int position) {
    int kept = position - Long.BYTES;
    int moved = kept - begin >= MANY ? dropBefore(kept) : 0;
    int room = end + CHUNK + Long.BYTES + PADDING;
    if (bytes.length < room) {
      bytes = Arrays.copyOf(bytes, Math.max(room, 2 * bytes.length));
    }
    unstuff(stop - next > CHUNK ? next + CHUNK : stop);
    return position - moved;
  }

  private int dropBefore(int kept) {
    int moved = kept - begin;
    int gap = gapBefore(kept);
    origin += moved + gap;
    System.arraycopy(bytes, kept, bytes, begin, end - kept);
    int left = 0;
    for (int i = 0; i < gaps; i++) {
      if (gapAt[i] > kept) {
        gapAt[left] = gapAt[i] - moved;
        gapTotal[left++] = gapTotal[i] - gap;
      }
    }
    gaps = left;
    end -= moved;
    return moved;
  }

  void fillAll() {
    while (!complete) {
      fill(begin);
    }
  }

  private void unstuff(int until) {
    byte[] from = source;
    byte[] to = bytes;
    int lastWord = from.length - Long.BYTES;
    int in = next;
    int out = end;
    while (in < until) {
      if (in <= lastWord) {
        long word = (long) WORD.get(from, in);
        WORD.set(to, out, word);
        // The lowest set bit of found marks the first FF.
        long found = (~word - LOW_BITS) & word & HIGH_BITS;
        if (found == 0) {
          in += Long.BYTES;
          out += Long.BYTES;
          continue;
        }
        int plain = Long.numberOfTrailingZeros(found) >>> 3;
        in += plain;
        out += plain;
        if (in >= until) {
          break;
        }
      } else if (from[in] != (byte) 0xFF) {
        to[out++] = from[in++];
        continue;
      }
      int following = in + 1;
      while (following < from.length && from[following] == (byte) 0xFF) {
        following++;
      }
      int code = following < from.length ? from[following] & 0xFF : Marker.NONE;
      if (code != 0 || following > in + 1 || following == from.length) {
        complete = true;
        // Fill bytes that precede a stuffed zero are neither data nor a marker.
        marker = code == 0 && following < from.length ? Marker.FILL : code;
        in = following - 1;
        break;
      }
      to[out++] = (byte) 0xFF;
      in += 2;
      addGap(out);
    }
    next = in;
    end = out;
    complete |= in >= stop;
    if (complete) {
      Arrays.fill(to, out, out + PADDING, (byte) 0);
    }
  }
}
