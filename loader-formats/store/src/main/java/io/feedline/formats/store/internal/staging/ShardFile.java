package io.feedline.formats.store.internal.staging;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The destination of a shard: a local file, or an object. It is written from its beginning to its
 * end, or given up. Not thread-safe. The caller closes it; closing twice is allowed.
 */
interface ShardFile extends Closeable {

  static ShardFile begin(StagedOutput output, Path path) throws IOException {
    ObjectOutput object = ObjectOutput.of(path);
    return object == null ? new LocalShard(path) : new UploadedShard(output, object);
  }

  void append(byte[] bytes) throws IOException;

  void complete() throws IOException;

  @Override
  void close() throws IOException;
}
