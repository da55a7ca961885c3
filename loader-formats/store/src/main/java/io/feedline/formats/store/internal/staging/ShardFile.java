package io.feedline.formats.store.internal.staging;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The destination of a shard: a local file, or an object. Not thread-safe. The caller closes it;
 * closing twice is allowed.
 */
interface ShardFile extends Closeable {

  /**
   * Opens a shard, or begins it.
   *
   * @param output that it is of
   * @param end the length of the part to keep; 0 for an object
   * @throws IOException if it cannot be opened, or is shorter
   */
  static ShardFile open(StagedOutput output, Path path, long end) throws IOException {
    ObjectOutput object = ObjectOutput.of(path);
    ShardFile file =
        object == null ? AppendFile.open(path, end) : new UploadedShard(output, object);
    return output.isOfTask() ? new HashedShard(file) : file;
  }

  /** Tests whether added bytes are kept when it is closed before it is complete. */
  boolean canContinue();

  /** Its length in bytes: where the next record begins. */
  long end();

  /**
   * Adds a record.
   *
   * @param pieces one after the other
   * @throws IOException if it cannot be written
   */
  void append(byte[]... pieces) throws IOException;

  /**
   * Waits until all records are durable, if they can be before it is complete.
   *
   * @throws IOException if that fails
   */
  void force() throws IOException;

  /**
   * Ends it: nothing is added any more.
   *
   * @throws IOException if that fails
   */
  void complete() throws IOException;
}
