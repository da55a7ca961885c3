package io.feedline.formats.tfrecord;

import io.feedline.formats.tfrecord.Example.Feature;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A writer of the messages of {@code tf.train.Example}, whose sizes are computed beforehand. The
 * result is a sequence of arrays, so that a large value is not copied. All field numbers are below
 * 16, so a tag is one byte. Not thread-safe.
 */
final class ProtoWriter {

  private static final int LIST_VALUE = 1;

  /** The smallest size in bytes of a value that is kept as an array of its own. */
  private static final int LARGE_BYTES = 1 << 12;

  private final List<byte[]> pieces = new ArrayList<>();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Returns the size in bytes of a field, its tag and length included. */
  static long field(long length) {
    return 1 + varintSize(length) + length;
  }

  static int checked(long size) {
    if (size > Integer.MAX_VALUE - 64) {
      throw new IllegalArgumentException("an example of %d bytes is too large".formatted(size));
    }
    return (int) size;
  }

  private static int varintSize(long value) {
    return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
  }

  static long sizeOf(Feature feature) {
    return field(sizeOfList(feature));
  }

  private static long sizeOfList(Feature feature) {
    if (feature instanceof Feature.Bytes bytes) {
      long size = 0;
      for (int i = 0; i < bytes.size(); i++) {
        size += field(bytes.get(i).length);
      }
      return size;
    }
    return feature.size() == 0 ? 0 : field(packedSize(feature));
  }

  private static long packedSize(Feature feature) {
    if (feature instanceof Feature.Floats) {
      return (long) Float.BYTES * feature.size();
    }
    Feature.Int64s integers = (Feature.Int64s) feature;
    long size = 0;
    for (int i = 0; i < integers.size(); i++) {
      size += varintSize(integers.get(i));
    }
    return size;
  }

  void startField(int field, int length) {
    out.write(field << 3 | ProtoReader.BYTES);
    varint(length);
  }

  void bytes(int field, byte[] value) {
    startField(field, value.length);
    if (value.length < LARGE_BYTES) {
      out.writeBytes(value);
    } else {
      endPiece();
      pieces.add(value);
    }
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) (rest | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  void feature(Feature feature) {
    int kind = feature instanceof Feature.Bytes ? 1 : feature instanceof Feature.Floats ? 2 : 3;
    startField(kind, (int) sizeOfList(feature));
    if (feature instanceof Feature.Bytes bytes) {
      for (int i = 0; i < bytes.size(); i++) {
        bytes(LIST_VALUE, bytes.get(i));
      }
    } else if (feature.size() > 0) {
      startField(LIST_VALUE, (int) packedSize(feature));
      for (int i = 0; i < feature.size(); i++) {
        if (feature instanceof Feature.Floats floats) {
          int bits = Float.floatToRawIntBits(floats.get(i));
          for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            out.write(bits >>> shift);
          }
        } else {
          varint(((Feature.Int64s) feature).get(i));
        }
      }
    }
  }

  private void endPiece() {
    pieces.add(out.toByteArray());
    out.reset();
  }

  List<byte[]> pieces() {
    endPiece();
    return pieces;
  }
}
