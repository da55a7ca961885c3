package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;

public interface PositionalReads {

  /** Reads until the target is full or the file ends; returns -1 at and behind the file's end. */
  int read(ByteBuffer target, long position) throws IOException;
}
