package io.feedline.formats.store.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A file of an {@link OpenFiles}; {@code close()} closes all files of that object. Thread-safe. */
public record OpenFile(OpenFiles files, Path path) implements Closeable {

  public static OpenFile of(Path path) {
    return new OpenFile(new OpenFiles(1), path);
  }

  public long length() throws IOException {
    return files.size(path);
  }

  public void read(long position, ByteBuffer target) throws IOException {
    files.read(path, position, target);
  }

  public void read(long position, byte[] target, int offset, int length) throws IOException {
    files.read(path, position, target, offset, length);
  }

  /** Returns a stream of the whole file, without a buffer; closing the stream closes the file. */
  public InputStream stream() throws IOException {
    return new OpenFileStream(this);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
