package io.feedline.formats.image;

import java.io.IOException;

/**
 * Where images are packed into: a database, shards, a folder. What is being written does not have
 * the final name, or is otherwise not taken for a dataset, until {@link #commit}: a run that was
 * interrupted leaves nothing that opens as whole.
 *
 * <p>A sink can go on where an interrupted run of the same output ended: after opening, {@link
 * #written} tells how many images are safely there already, and the next one written must be the
 * one that follows.
 *
 * <p>Not thread-safe. Whoever opened it closes it; closing twice is allowed.
 */
public interface ImageStoreWriter extends AutoCloseable {

  /** How many images have been written, those of an interrupted run included. */
  long written();

  /**
   * Adds an image behind those that were written before.
   *
   * @throws IOException if it cannot be written, or the format cannot hold it: with the file, the
   *     image's key, and what was found
   * @throws IllegalStateException if the sink is committed or closed
   */
  void write(EncodedImage image) throws IOException;

  /**
   * Makes the output whole and gives it its final name. Nothing can be written afterwards.
   *
   * @throws IOException if that fails; the output is then as after an interruption
   * @throws IllegalStateException if the sink is committed or closed
   */
  void commit() throws IOException;

  /** Releases files. Without {@link #commit} the output stays unfinished, and can be continued. */
  @Override
  void close() throws IOException;
}
