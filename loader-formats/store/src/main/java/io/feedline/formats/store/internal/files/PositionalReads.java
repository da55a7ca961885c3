package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A channel that any number of threads read by position, at once: the face of a {@link
 * java.nio.channels.FileChannel} that file systems of our own give.
 */
public interface PositionalReads {

  /**
   * Reads until the target is full or the file ends; returns how many bytes, or -1 at the end of
   * the file and behind it.
   */
  int read(ByteBuffer target, long position) throws IOException;
}
