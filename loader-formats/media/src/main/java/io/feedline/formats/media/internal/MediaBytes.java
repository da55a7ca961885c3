package io.feedline.formats.media.internal;

import io.feedline.formats.store.internal.files.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The bytes of a file on disk, on a server or in memory. Thread-safe. The opener closes it. */
public interface MediaBytes extends Closeable {

  long length() throws IOException;

  /**
   * Fills the target from its position to its limit with the bytes from {@code position} on.
   *
   * @throws IOException if the file ends before the target is full, or cannot be read
   */
  void read(long position, ByteBuffer target) throws IOException;

  /** Returns whether each read is a request to a server. */
  boolean isFar() throws IOException;

  @Override
  void close() throws IOException;

  /** Returns the bytes of a file, which is opened when it is first read. */
  static MediaBytes of(Path path) {
    return of(OpenFile.of(path));
  }

  /**
   * Returns the bytes of an open file.
   *
   * @param file the file; closing the bytes closes it
   */
  static MediaBytes of(OpenFile file) {
    return new MediaBytes() {
      @Override
      public long length() throws IOException {
        return file.length();
      }

      @Override
      public void read(long position, ByteBuffer target) throws IOException {
        file.read(position, target);
      }

      @Override
      public boolean isFar() throws IOException {
        return file.files().isFar(file.path());
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  /** Returns bytes in memory, which are not copied. */
  static MediaBytes of(byte[] bytes) {
    return new MediaBytes() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public void read(long position, ByteBuffer target) {
        target.put(bytes, (int) position, target.remaining());
      }

      @Override
      public boolean isFar() {
        return false;
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }
}
