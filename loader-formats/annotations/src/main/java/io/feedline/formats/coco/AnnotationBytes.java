package io.feedline.formats.coco;

import io.feedline.data.FormatException;
import java.util.Arrays;

/**
 * Numbers and texts of annotations, packed one after the other into an array of bytes. The outlines
 * of a large data set have fifty million coordinates, and most coordinates take two bytes here.
 * {@link Reader} reads the values in the order in which they were added; coordinates stay exact.
 */
final class AnnotationBytes {

  private static final int MOST_BYTES = Integer.MAX_VALUE - 64;

  /** The factor from coordinates to integers; coordinates with over two decimals stay doubles. */
  private static final double HUNDREDTHS = 100;

  private byte[] bytes = new byte[1 << 10];
  private int size;

  int size() {
    return size;
  }

  private void add(int b) throws FormatException {
    if (size == bytes.length) {
      if (size == MOST_BYTES) {
        throw new FormatException("the outlines of all annotations take 2 GiB or more");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(MOST_BYTES, size + (long) Math.max(size / 2, 1)));
    }
    bytes[size++] = (byte) b;
  }

  void addCount(long number) throws FormatException {
    long left = number;
    while (left > 0x7f) {
      add((int) (left & 0x7f) | 0x80);
      left >>>= 7;
    }
    add((int) left);
  }

  void addBytes(byte[] text) throws FormatException {
    addCount(text.length);
    for (byte b : text) {
      add(b);
    }
  }

  /** Adds coordinates, x and y alternating. */
  void addCoordinates(double[] xy, int length) throws FormatException {
    addCount(length);
    long[] last = new long[2];
    for (int i = 0; i < length; i++) {
      long hundredths = Math.round(xy[i] * HUNDREDTHS);
      boolean exact =
          Math.abs(hundredths) < 1L << 40 && Double.compare(hundredths / HUNDREDTHS, xy[i]) == 0;
      if (exact) {
        long step = hundredths - last[i & 1];
        addCount((step << 1 ^ step >> 63) << 1);
        last[i & 1] = hundredths;
      } else {
        add(1);
        long bits = Double.doubleToRawLongBits(xy[i]);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
          add((int) (bits >>> shift));
        }
      }
    }
  }

  void trim() {
    bytes = Arrays.copyOf(bytes, size);
  }

  /** Returns a reader from a position on; readers may run in parallel while nothing is added. */
  Reader at(int position) {
    return new Reader(bytes, position);
  }

  static final class Reader {
    private final byte[] bytes;
    private int at;

    private Reader(byte[] bytes, int at) {
      this.bytes = bytes;
      this.at = at;
    }

    long count() {
      long value = 0;
      for (int shift = 0; ; shift += 7) {
        byte b = bytes[at++];
        value |= (b & 0x7fL) << shift;
        if (b >= 0) {
          return value;
        }
      }
    }

    byte[] bytes() {
      int length = (int) count();
      at += length;
      return Arrays.copyOfRange(bytes, at - length, at);
    }

    double[] coordinates() {
      double[] xy = new double[(int) count()];
      long[] last = new long[2];
      for (int i = 0; i < xy.length; i++) {
        if ((bytes[at] & 1) == 0) {
          long folded = count() >>> 1;
          last[i & 1] += folded >>> 1 ^ -(folded & 1);
          xy[i] = last[i & 1] / HUNDREDTHS;
        } else {
          at++;
          long bits = 0;
          for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bits |= (bytes[at++] & 0xffL) << shift;
          }
          xy[i] = Double.longBitsToDouble(bits);
        }
      }
      return xy;
    }
  }
}
