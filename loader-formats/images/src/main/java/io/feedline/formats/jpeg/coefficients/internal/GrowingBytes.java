package io.feedline.formats.jpeg.coefficients.internal;

import java.util.Arrays;

/** A growing array to which bytes are appended; numbers are little-endian. */
final class GrowingBytes {

  private static final int LEAST = 1 << 10;
  private static final int MOST = Integer.MAX_VALUE - 8;

  private byte[] bytes;
  private int size;

  GrowingBytes(long expected) {
    bytes = new byte[(int) Math.max(LEAST, Math.min(expected, MOST))];
  }

  int size() {
    return size;
  }

  /**
   * Returns the array of the bytes so far, with unused bytes at the end. When the array has to
   * grow, a larger array replaces it.
   */
  byte[] array() {
    return bytes;
  }

  byte[] toArray() {
    return Arrays.copyOf(bytes, size);
  }

  void u8(int value) {
    makeRoom(1);
    bytes[size++] = (byte) value;
  }

  void u16(int value) {
    makeRoom(2);
    CoefficientLayout.U16.set(bytes, size, (short) value);
    size += 2;
  }

  void u32(int value) {
    makeRoom(4);
    size += 4;
    u32At(size - 4, value);
  }

  void u16At(int at, int value) {
    CoefficientLayout.U16.set(bytes, at, (short) value);
  }

  void u32At(int at, int value) {
    CoefficientLayout.U32.set(bytes, at, value);
  }

  void add(byte[] from, int at, int length) {
    makeRoom(length);
    System.arraycopy(from, at, bytes, size, length);
    size += length;
  }

  /** Makes room in the array for a caller that stores bytes and then calls {@link #skipTo}. */
  byte[] withRoom(int more) {
    makeRoom(more);
    return bytes;
  }

  void skipTo(int end) {
    size = end;
  }

  private void makeRoom(int more) {
    if (size > bytes.length - more) {
      // The addition throws for a length that no array can have.
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), grown(bytes.length)));
    }
  }

  private static int grown(int length) {
    return (int) Math.min(2L * length, MOST);
  }
}
