package io.feedline.formats.store.internal.files;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file that any number of threads read by position, at once. Thread-safe. The caller that made it
 * closes it, and all others of the same {@link OpenFiles} with it; closing twice is allowed.
 *
 * @param files opens the file
 * @param path where it is
 */
public record OpenFile(OpenFiles files, Path path) implements Closeable {

  /** A file that is opened when it is first read. */
  public static OpenFile of(Path path) {
    return new OpenFile(new OpenFiles(1), path);
  }

  /**
   * Its length now, in bytes.
   *
   * @throws IOException if it cannot be opened
   */
  public long length() throws IOException {
    return files.size(path);
  }

  /**
   * Reads bytes.
   *
   * @param position where in the file they begin
   * @param target filled from its position to its limit
   * @throws EOFException if the file ends before
   * @throws IOException if it cannot be opened or read
   */
  public void read(long position, ByteBuffer target) throws IOException {
    files.read(path, position, target);
  }

  /**
   * Reads bytes.
   *
   * @param position where in the file they begin
   * @throws EOFException if the file ends before the array's part is full
   * @throws IOException if it cannot be opened or read
   */
  public void read(long position, byte[] target, int offset, int length) throws IOException {
    files.read(path, position, target, offset, length);
  }

  /**
   * The file from front to back, not buffered; closing the stream closes the file.
   *
   * @throws IOException if it cannot be opened
   */
  public InputStream stream() throws IOException {
    return new OpenFileStream(this);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
