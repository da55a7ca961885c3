package io.feedline.formats.store.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Reads headers in a file from front to back. The caller closes it before {@code files}. */
public final class FileWindow implements Closeable {

  private static final int WINDOW_BYTES = 1 << 18;
  private static final int PAGE_BYTES = 1 << 12;

  private final OpenFiles files;
  private final Path file;
  private final long size;
  private ByteBuffer window;
  private PiecesAhead pieces;

  private long start;
  private long last;

  public FileWindow(OpenFiles files, Path file, long size) {
    this.files = files;
    this.file = file;
    this.size = size;
  }

  public long size() {
    return size;
  }

  /**
   * Returns a little-endian buffer of at least {@code length} bytes, which the next call
   * overwrites; {@code length} is at most 4096.
   */
  public ByteBuffer at(long position, int length) throws IOException {
    if (window == null) {
      boolean far = files.isFar(file);
      int bytes = (int) Math.max(PAGE_BYTES, Math.min(WINDOW_BYTES, size));
      window = (far ? ByteBuffer.allocate(PAGE_BYTES) : ByteBuffer.allocateDirect(bytes)).limit(0);
      window.order(ByteOrder.LITTLE_ENDIAN);
      pieces = far ? new PiecesAhead(files, file, size) : null;
    }
    if (pieces != null) {
      pieces.read(position, window.array(), 0, length);
      return window.clear().limit(length);
    }
    long inside = position - start;
    if (inside < 0 || inside + length > window.limit()) {
      int wanted = position - last > WINDOW_BYTES ? PAGE_BYTES : WINDOW_BYTES;
      window.clear().limit((int) Math.min(wanted, size - position));
      files.read(file, position, window);
      start = position;
      inside = 0;
    }
    last = position;
    return window.position((int) inside);
  }

  @Override
  public void close() {
    if (pieces != null) {
      pieces.close();
    }
  }
}
