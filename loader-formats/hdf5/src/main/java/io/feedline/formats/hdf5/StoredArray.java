package io.feedline.formats.hdf5;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.data.FormatException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An array of numbers in a file, in rows along its first axis. Immutable and thread-safe. */
record StoredArray(String path, long length, Shape shape, ElementType type, Rows rows) {

  DType dtype() {
    return type.dtype();
  }

  StoredArray asInt64() throws FormatException {
    if (!type.integer()) {
      throw new FormatException(
          "%s has elements of %s; labels are integers".formatted(path, type.dtype()));
    }
    return new StoredArray(path, length, shape, type.asInt64(), rows);
  }

  /** Writes a row in the machine's byte order; the target has exactly the row's size. */
  void write(long row, ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return;
    }
    try {
      if (type.copied()) {
        rows.read(row, target);
        type.toNative(target.flip());
      } else {
        int bytes = Math.toIntExact(shape.elements() * type.bytes());
        byte[] elements = Scratch.ofThread().buffer(Scratch.Use.ELEMENTS, bytes);
        rows.read(row, ByteBuffer.wrap(elements, 0, bytes));
        type.widen(ByteBuffer.wrap(elements, 0, bytes).order(type.order()), target);
      }
    } catch (IOException failed) {
      throw FormatException.at("%s[%d]".formatted(path, row), failed);
    }
  }
}
