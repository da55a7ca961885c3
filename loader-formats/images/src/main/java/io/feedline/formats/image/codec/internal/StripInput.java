package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;

/** The bytes of pixels, decompressed piece by piece. */
interface StripInput extends AutoCloseable {

  /** Reads exactly {@code length} bytes; throws if there are fewer, or they are damaged. */
  void read(byte[] to, int offset, int length) throws FormatException;

  /**
   * Checks the data after the last byte that was read, if the compression has a rule for them;
   * {@code atMost} further bytes are no error.
   *
   * @throws FormatException if more bytes follow, or a checksum is missing or wrong, so that some
   *     bytes read must be damaged
   */
  default void finish(int atMost) throws FormatException {}

  @Override
  default void close() {}
}
