package io.feedline.formats.lmdb;

import io.feedline.data.FormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A database's keys by index. A key takes its own bytes and four more. Immutable. */
final class KeyList {

  private final byte[] bytes;

  /** The end of each key, which is the start of the next key. */
  private final int[] ends;

  private KeyList(byte[] bytes, int[] ends) {
    this.bytes = bytes;
    this.ends = ends;
  }

  static KeyList of(MappedDatabase database) throws IOException {
    try {
      return database.read(
          reader -> {
            Builder keys = new Builder();
            reader.forEachKey(
                key -> {
                  keys.add(key);
                  return true;
                });
            return keys.build();
          });
    } catch (IllegalArgumentException tooMany) {
      throw FormatException.in(
          database.data(), "its keys are too many to be kept: " + tooMany.getMessage(), tooMany);
    }
  }

  int size() {
    return ends.length;
  }

  byte[] get(int index) {
    return Arrays.copyOfRange(bytes, index == 0 ? 0 : ends[index - 1], ends[index]);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyList list
        && Arrays.equals(ends, list.ends)
        && Arrays.equals(bytes, list.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Collects keys in the order of their indexes. */
  static final class Builder {
    private final ByteSink bytes = new ByteSink();
    private int[] ends = new int[64];
    private int size;

    void add(ByteBuffer key) {
      bytes.room(key.remaining()).put(key.duplicate());
      if (size == ends.length) {
        ends = Arrays.copyOf(ends, 2 * size);
      }
      ends[size++] = bytes.size();
    }

    KeyList build() {
      return new KeyList(Arrays.copyOf(bytes.array(), bytes.size()), Arrays.copyOf(ends, size));
    }
  }
}
