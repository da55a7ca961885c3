package io.feedline.formats.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A writer of some of a store's shards, for a task of a {@link PackingJob}: many of them write at
 * once, each into a directory of its own, and nothing of it is seen until the job is committed.
 *
 * <p>It begins with nothing and is never continued: a task that failed is done again by another
 * writer, in another directory. The bytes of the shards depend on the samples and the options
 * alone.
 *
 * <p>Not thread-safe. The caller closes it.
 */
public interface TaskWriter extends Closeable {

  /**
   * Adds a sample behind those that were written before.
   *
   * @param fields what it has beside the image, by name: those that the writer was opened with,
   *     each of its type. Where the format allows it, fields may be absent
   * @throws FormatException if the format cannot hold it, with the key and what was found
   * @throws IOException if it cannot be written; the writer can then only be closed
   * @throws IllegalStateException if the writer is committed or closed
   */
  void write(EncodedImage image, Map<String, Object> fields) throws IOException;

  /**
   * Returns the shards that are whole, in order; grows while samples are written. Unmodifiable,
   * newly made. Their paths are names of files in the task's directory.
   */
  List<PackedShard> shards();

  /**
   * Ends the last shard and makes all of them durable.
   *
   * @return all shards, in order; empty where no sample was written
   * @throws IOException if that fails
   * @throws IllegalStateException if the writer is committed or closed
   */
  List<PackedShard> commit() throws IOException;

  /**
   * Releases files. Without {@link #commit} it deletes what was written. May be called twice.
   *
   * @throws IOException if a file cannot be closed or deleted
   */
  @Override
  void close() throws IOException;
}
