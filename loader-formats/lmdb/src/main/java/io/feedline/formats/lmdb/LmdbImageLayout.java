package io.feedline.formats.lmdb;

import io.feedline.formats.store.EncodedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbering of images by a layout, and the form of its values. Immutable and thread-safe; the
 * database is handed in for each read.
 */
interface LmdbImageLayout {

  long size();

  /** Empty where they are not recorded. */
  List<String> classes();

  /** Null where there is no such key. */
  @Nullable ByteBuffer find(long index, MappedDatabase.Reader reader) throws IOException;

  /** Reads nothing. */
  String describe(long index);

  /**
   * Takes a value of {@link #find} apart, and copies the image.
   *
   * @throws IOException if the value is not what the layout has
   */
  EncodedImage parse(long index, ByteBuffer value) throws IOException;

  /**
   * Finds the image within a value of {@link #find}; null where the value does not hold the image
   * as it is, so that {@link #parse} makes it.
   *
   * @throws IOException if the value is not what the layout has
   */
  default @Nullable Place locate(ByteBuffer value) throws IOException {
    return null;
  }

  /**
   * An image within a value.
   *
   * @param image a view of the encoded image, from 0 to its capacity
   * @param label the index of its class, or {@link EncodedImage#NO_LABEL}
   */
  record Place(ByteBuffer image, int label) {}
}
