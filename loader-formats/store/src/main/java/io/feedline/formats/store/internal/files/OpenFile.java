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
 */
public record OpenFile(OpenFiles files, Path path) implements Closeable {

  public static OpenFile of(Path path) {
    return new OpenFile(new OpenFiles(1), path);
  }

  public long length() throws IOException {
    return files.size(path);
  }

  /** Reads bytes until the target is full; an {@link EOFException} if the file ends before. */
  public void read(long position, ByteBuffer target) throws IOException {
    files.read(path, position, target);
  }

  public void read(long position, byte[] target, int offset, int length) throws IOException {
    files.read(path, position, target, offset, length);
  }

  /** Returns the file from front to back, not buffered; closing the stream closes the file. */
  public InputStream stream() throws IOException {
    return new OpenFileStream(this);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
