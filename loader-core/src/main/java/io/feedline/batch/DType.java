package io.feedline.batch;

/** The element type of a {@link Tensor}. Elements are stored in the machine's byte order. */
public enum DType {
  /** Unsigned 8-bit integer. */
  UINT8(1),
  /** Signed 8-bit integer. */
  INT8(1),
  /**
   * Unsigned 16-bit integer, the type of images with 16 bits a sample. Java has no such type:
   * {@code shorts.get(i) & 0xFFFF} reads an element of a {@link java.nio.ShortBuffer} as an int.
   */
  UINT16(2),
  /** Signed 16-bit integer. */
  INT16(2),
  /** Signed 32-bit integer. */
  INT32(4),
  /** Signed 64-bit integer, the type of class labels. */
  INT64(8),
  /** IEEE 754 half precision, 16 bits. */
  FLOAT16(2),
  /** bfloat16: the upper 16 bits of a {@link #FLOAT32}. */
  BFLOAT16(2),
  /** IEEE 754 single precision, the type of normalized images. */
  FLOAT32(4),
  /** IEEE 754 double precision. */
  FLOAT64(8),
  /** One byte, 0 or 1. */
  BOOL(1);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /** Returns the size of one element in bytes. */
  public int bytes() {
    return bytes;
  }
}
