package io.feedline.formats.image.codec.internal;

import io.feedline.formats.store.FormatException;

/** The bytes of pixels, restored piece by piece from what they were compressed to. */
interface StripInput extends AutoCloseable {

  /**
   * Reads exactly {@code length} bytes.
   *
   * @throws FormatException if there are fewer, or they are damaged
   */
  void read(byte[] to, int offset, int length) throws FormatException;

  /**
   * Checks what follows the last byte that was read, if there is anything to check.
   *
   * @param atMost how many bytes more are no error
   * @throws FormatException if there are more, or a checksum is missing or wrong, so that some of
   *     what was read must be damaged
   */
  default void finish(int atMost) throws FormatException {}

  @Override
  default void close() {}
}
