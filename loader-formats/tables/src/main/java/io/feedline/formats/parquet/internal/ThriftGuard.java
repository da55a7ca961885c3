package io.feedline.formats.parquet.internal;

import io.feedline.data.FormatException;

/**
 * A check of data in Thrift's compact protocol before they are parsed: each length must fit into
 * the bytes, and nesting is limited. A parser alone would allocate memory for a count of two
 * thousand million row groups before it finds that they are absent. Source: Thrift,
 * doc/specs/thrift-compact-protocol.md.
 */
final class ThriftGuard {

  /** The deepest accepted nesting of structures; Parquet's own structures are nested 7 deep. */
  private static final int MAX_DEPTH = 32;

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  private static final int STRUCT = 12;

  private final byte[] bytes;
  private final int end;
  private int at;

  private ThriftGuard(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
  }

  /**
   * Returns the length of the structure at the beginning of the bytes, or -1 if it needs more
   * bytes; fails if the structure is invalid.
   */
  static int lengthOf(byte[] bytes, int available) throws FormatException {
    ThriftGuard guard = new ThriftGuard(bytes, available);
    try {
      guard.struct(0);
      return guard.at;
    } catch (EndReached tooShort) {
      return -1;
    }
  }

  private static final class EndReached extends Exception {
    private static final long serialVersionUID = 1L;

    EndReached() {
      super(null, null, false, false);
    }
  }

  private int next() throws EndReached {
    if (at >= end) {
      throw new EndReached();
    }
    return bytes[at++] & 0xff;
  }

  private long varint() throws EndReached, FormatException {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int b = next();
      value |= (b & 0x7fL) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw new FormatException("a number at byte %d of the metadata does not end".formatted(at));
  }

  private void skip(long count) throws EndReached, FormatException {
    if (count < 0) {
      throw new FormatException("a length of %d at byte %d of the metadata".formatted(count, at));
    }
    if (count > end - at) {
      throw new EndReached();
    }
    at += (int) count;
  }

  private void requireDepth(int depth) throws FormatException {
    if (depth > MAX_DEPTH) {
      throw new FormatException(
          "the metadata is nested deeper than %d levels at byte %d".formatted(MAX_DEPTH, at));
    }
  }

  private void struct(int depth) throws EndReached, FormatException {
    requireDepth(depth);
    while (true) {
      int field = next();
      if (field == 0) {
        return;
      }
      if (field >> 4 == 0) {
        varint();
      }
      int type = field & 15;
      if (type != TRUE && type != FALSE) {
        value(type, depth);
      }
    }
  }

  private void value(int type, int depth) throws EndReached, FormatException {
    switch (type) {
      case TRUE, FALSE, BYTE -> skip(1);
      case DOUBLE -> skip(Double.BYTES);
      case BINARY -> skip(varint());
      case LIST, SET -> list(depth);
      case MAP -> map(depth);
      case STRUCT -> struct(depth + 1);
      default -> {
        if (type < I16 || type > I64) {
          throw new FormatException(
              "an unknown type %d at byte %d of the metadata".formatted(type, at));
        }
        varint();
      }
    }
  }

  private void list(int depth) throws EndReached, FormatException {
    int header = next();
    long size = header >> 4 == 15 ? varint() : header >> 4;
    elements(size, depth, header & 15);
  }

  private void map(int depth) throws EndReached, FormatException {
    long size = varint();
    if (size != 0) {
      int types = next();
      elements(size, depth, types >> 4, types & 15);
    }
  }

  private void elements(long size, int depth, int... types) throws EndReached, FormatException {
    requireDepth(depth);
    // Each element takes a byte or more, so a larger count means that bytes are missing.
    if (size < 0 || size > end - at) {
      if (size < 0 || size > Integer.MAX_VALUE) {
        throw new FormatException(
            "a list of %d elements at byte %d of the metadata".formatted(size, at));
      }
      throw new EndReached();
    }
    for (long i = 0; i < size; i++) {
      for (int type : types) {
        value(type, depth + 1);
      }
    }
  }
}
