package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;

/** The decompressed bytes of pixels, read piece by piece. */
interface StripInput extends AutoCloseable {

  /** Reads exactly {@code length} bytes; throws if the bytes are fewer or damaged. */
  void read(byte[] to, int offset, int length) throws FormatException;

  /**
   * Checks the data after the last byte that was read, if the compression has a rule for such data.
   * Up to {@code atMost} more bytes are no error.
   *
   * @throws FormatException if more bytes follow, or a checksum is missing or does not match the
   *     bytes that were read
   */
  default void finish(int atMost) throws FormatException {}

  @Override
  default void close() {}
}
