package io.feedline.formats.lmdb;

import io.feedline.formats.store.EncodedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A layout of a database of images: their number, their keys and the form of their values.
 * Immutable and thread-safe; each method that reads takes a reader.
 */
interface LmdbImageLayout {

  long size();

  /** Returns the names of the classes; empty if the database does not contain them. */
  List<String> classes();

  /** Returns the value of an image; null if the database lacks the image's key. */
  @Nullable ByteBuffer find(long index, MappedDatabase.Reader reader) throws IOException;

  /** Returns a text for errors that says which image it is; reads nothing. */
  String describe(long index);

  /** Parses a value of {@link #find}, and copies the image. */
  EncodedImage parse(long index, ByteBuffer value) throws IOException;

  /**
   * Finds the image within a value of {@link #find}; null if the value does not contain the encoded
   * image as it is, so that only {@link #parse} can make it.
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
