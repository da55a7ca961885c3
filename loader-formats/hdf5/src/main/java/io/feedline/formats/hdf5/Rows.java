package io.feedline.formats.hdf5;

import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The stored bytes of an array in one layout, read in rows along its first axis. Thread-safe. */
sealed interface Rows permits Rows.Contiguous, Rows.Compact, Rows.Unwritten, ChunkedRows {

  void read(long row, ByteBuffer target) throws IOException;

  record Contiguous(OpenFile file, long address) implements Rows {
    @Override
    public void read(long row, ByteBuffer target) throws IOException {
      file.read(address + row * target.remaining(), target);
    }
  }

  record Compact(byte[] bytes) implements Rows {
    @Override
    public void read(long row, ByteBuffer target) {
      target.put(bytes, Math.toIntExact(row * target.remaining()), target.remaining());
    }
  }

  record Unwritten(byte[] fill) implements Rows {
    @Override
    public void read(long row, ByteBuffer target) {
      Rows.fill(target, fill);
    }
  }

  static void fill(ByteBuffer target, byte[] element) {
    while (target.hasRemaining()) {
      target.put(element);
    }
  }
}
