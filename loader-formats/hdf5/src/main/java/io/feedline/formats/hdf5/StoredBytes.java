package io.feedline.formats.hdf5;

import io.feedline.data.FormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An array of byte strings, whose rows refer to a global heap. Immutable and thread-safe. */
record StoredBytes(String path, long length, Rows rows, GlobalHeap heap) {

  byte[] get(long row) throws IOException {
    try {
      ByteBuffer reference =
          ByteBuffer.allocate(heap.referenceBytes()).order(ByteOrder.LITTLE_ENDIAN);
      rows.read(row, reference);
      return heap.get(reference.flip());
    } catch (IOException failed) {
      throw FormatException.at("%s[%d]".formatted(path, row), failed);
    }
  }
}
