package io.feedline.formats.store.internal.staging;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** A local file or an object, written from front to back. Closing abandons an incomplete file. */
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
