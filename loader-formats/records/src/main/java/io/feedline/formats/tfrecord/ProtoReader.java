package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over the fields of a protocol buffers message in an array
 * (https://protobuf.dev/programming-guides/encoding), to the extent that {@code tf.train.Example}
 * needs. A length must lie within the message, so a wrong length takes no memory. Of a {@link
 * PartialRecord} only the bytes that are needed are read. Not thread-safe.
 */
final class ProtoReader {

  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int BYTES = 2;
  static final int GROUP_START = 3;
  static final int GROUP_END = 4;
  static final int FIXED32 = 5;

  private static final int MAX_DEPTH = 100;
  private static final int MAX_VARINT_BYTES = 10;

  private final ByteBuffer bytes;
  private final @Nullable PartialRecord record;
  private final int origin;
  private int field;
  private int wireType;

  /** Reads a part of an array; a record that is not null fills the array on demand. */
  ProtoReader(byte[] array, @Nullable PartialRecord record, int from, int to) {
    this(ByteBuffer.wrap(array, from, to - from).order(ByteOrder.LITTLE_ENDIAN), record, from);
  }

  private ProtoReader(ByteBuffer bytes, @Nullable PartialRecord record, int origin) {
    this.bytes = bytes;
    this.record = record;
    this.origin = origin;
  }

  boolean atEnd() {
    return !bytes.hasRemaining();
  }

  int position() {
    return bytes.position();
  }

  int end() {
    return bytes.limit();
  }

  boolean nextField() throws FormatException {
    if (atEnd()) {
      return false;
    }
    long tag = varint();
    field = (int) (tag >>> 3);
    wireType = (int) (tag & 7);
    if (tag >>> 32 != 0 || field == 0) {
      throw broken("there is no field with the tag " + Long.toUnsignedString(tag));
    }
    return true;
  }

  boolean is(int field, int wireType) {
    return this.field == field && this.wireType == wireType;
  }

  long varint() throws FormatException {
    long value = 0;
    fill(Math.min(MAX_VARINT_BYTES, bytes.remaining()));
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (atEnd()) {
        throw broken("the message ends within a number");
      }
      byte next = bytes.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw broken("a number has more than 10 bytes");
  }

  float float32() throws FormatException {
    require(Float.BYTES);
    fill(Float.BYTES);
    return bytes.getFloat();
  }

  ProtoReader message() throws FormatException {
    int length = length();
    ByteBuffer part = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    part.limit(bytes.position() + length);
    bytes.position(bytes.position() + length);
    return new ProtoReader(part, record, origin);
  }

  private int length() throws FormatException {
    long length = varint();
    if (length < 0 || length > bytes.remaining()) {
      throw broken(
          "a field of %s bytes begins where %d are left"
              .formatted(Long.toUnsignedString(length), bytes.remaining()));
    }
    return (int) length;
  }

  byte[] rest() {
    fill(bytes.remaining());
    byte[] rest = new byte[bytes.remaining()];
    bytes.get(rest);
    return rest;
  }

  private void fill(int length) {
    if (record != null) {
      record.fill(bytes.position(), bytes.position() + length);
    }
  }

  void skip() throws FormatException {
    skip(0);
  }

  private void skip(int depth) throws FormatException {
    switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> pass(Long.BYTES);
      case BYTES -> pass(length());
      case FIXED32 -> pass(Integer.BYTES);
      case GROUP_START -> skipGroup(depth);
      default ->
          throw broken("field %d has the impossible wire type %d".formatted(field, wireType));
    }
  }

  private void skipGroup(int depth) throws FormatException {
    int group = field;
    if (depth == MAX_DEPTH) {
      throw broken("groups are nested more than %d deep".formatted(MAX_DEPTH));
    }
    while (nextField()) {
      if (wireType != GROUP_END) {
        skip(depth + 1);
      } else if (field == group) {
        return;
      } else {
        throw broken("group %d ends within group %d".formatted(field, group));
      }
    }
    throw broken("the message ends within group " + group);
  }

  private void pass(int length) throws FormatException {
    require(length);
    bytes.position(bytes.position() + length);
  }

  private void require(int length) throws FormatException {
    if (bytes.remaining() < length) {
      throw broken("%d bytes are expected where %d are left".formatted(length, bytes.remaining()));
    }
  }

  FormatException broken(String problem) {
    return new FormatException(
        "not a tf.train.Example: %s, at byte %d of its data"
            .formatted(problem, bytes.position() - origin));
  }
}
