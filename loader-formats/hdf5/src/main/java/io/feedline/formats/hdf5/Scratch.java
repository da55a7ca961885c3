package io.feedline.formats.hdf5;

import java.util.EnumMap;
import java.util.Map;
import java.util.zip.Inflater;

/** A thread's inflater and buffers; buffers above {@value #KEPT_BYTES} bytes are not kept. */
final class Scratch {

  static final int KEPT_BYTES = 32 << 20;

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  /** The uses of a buffer; a thread has at most one buffer of each use at a time. */
  enum Use {
    STORED,
    /** The output of a filter whose index in the pipeline is even; {@link #ODD} for odd indexes. */
    EVEN,
    ODD,
    CHUNK,
    ELEMENTS
  }

  private final Map<Use, byte[]> buffers = new EnumMap<>(Use.class);
  private final Inflater inflater = new Inflater();

  private Scratch() {}

  static Scratch ofThread() {
    return SCRATCH.get();
  }

  byte[] buffer(Use use, int bytes) {
    byte[] buffer = buffers.get(use);
    if (buffer == null || buffer.length < bytes) {
      buffer = new byte[bytes];
      if (bytes <= KEPT_BYTES) {
        buffers.put(use, buffer);
      }
    }
    return buffer;
  }

  Inflater inflater() {
    inflater.reset();
    return inflater;
  }
}
