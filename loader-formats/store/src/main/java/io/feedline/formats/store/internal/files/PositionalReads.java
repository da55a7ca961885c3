package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;

public interface PositionalReads {

  /** Fills the target, unless the file ends; returns -1 at the end of the file and behind it. */
  int read(ByteBuffer target, long position) throws IOException;
}
