package io.feedline.formats.lmdb;

import io.feedline.formats.image.EncodedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * How a layout numbers its images, and what it puts into a value. Immutable and thread-safe; the
 * database is handed in for each read.
 */
interface LmdbImageLayout {

  /** The number of images. */
  long size();

  /** The names of the classes, empty where they are not recorded. */
  List<String> classes();

  /**
   * The value of an image.
   *
   * @param index from 0 to {@code size() - 1}
   * @return null where there is no such key
   */
  ByteBuffer find(long index, SharedDatabase.Reader reader) throws IOException;

  /** An image's key in words, without reading anything. */
  String describe(long index);

  /**
   * Takes a value apart.
   *
   * @param value what {@link #find} gave
   * @throws IOException if it is not what the layout has
   */
  EncodedImage parse(long index, ByteBuffer value) throws IOException;
}
