package io.feedline.formats.store.internal.staging;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;

/** A local file or an object, written from front to back. Closing abandons an incomplete file. */
interface ShardFile extends Closeable {

  static ShardFile begin(StagedOutput output, Path path) throws IOException {
    ObjectOutput object = ObjectOutput.of(path);
    return object == null ? new LocalShard(path) : new Uploaded(output, object);
  }

  void append(byte[] bytes) throws IOException;

  void complete() throws IOException;

  @Override
  void close() throws IOException;

  final class Uploaded implements ShardFile {

    private final StagedOutput output;
    private final ObjectOutput object;
    private final ObjectOutput.Upload upload;

    Uploaded(StagedOutput output, ObjectOutput object) {
      this.output = output;
      this.object = object;
      this.upload = object.upload();
    }

    @Override
    public void append(byte[] bytes) throws IOException {
      try {
        upload.write(bytes);
      } catch (FileNotFoundException givenUp) {
        throw output.explained(givenUp);
      }
    }

    @Override
    public void complete() throws IOException {
      output.complete(object, upload);
    }

    @Override
    public void close() throws IOException {
      upload.close();
    }
  }
}
