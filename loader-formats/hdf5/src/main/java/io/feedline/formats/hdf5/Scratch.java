package io.feedline.formats.hdf5;

import java.util.EnumMap;
import java.util.Map;
import java.util.zip.Inflater;

/**
 * A thread's buffers and inflater. The buffers grow to the need of its largest chunk so far, up to
 * {@value #KEPT_BYTES} bytes each, and are collected with their thread; buffers for a larger chunk
 * live as long as the call.
 */
final class Scratch {

  static final int KEPT_BYTES = 32 << 20;

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  /** The use of a buffer; buffers of different use are in use at once. */
  enum Use {
    STORED,
    /** The output of one of two filters, which is the input of the next. */
    EVEN,
    ODD,
    /** A chunk of which a part is wanted. */
    CHUNK,
    /** Elements before they are widened. */
    ELEMENTS
  }

  private final Map<Use, byte[]> buffers = new EnumMap<>(Use.class);
  private final Inflater inflater = new Inflater();

  private Scratch() {}

  static Scratch ofThread() {
    return SCRATCH.get();
  }

  /** A buffer of this size or more, of arbitrary content. */
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
