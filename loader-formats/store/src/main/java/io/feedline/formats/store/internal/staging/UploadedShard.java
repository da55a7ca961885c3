package io.feedline.formats.store.internal.staging;

import java.io.FileNotFoundException;
import java.io.IOException;

final class UploadedShard implements ShardFile {

  private final StagedOutput output;
  private final ObjectOutput object;
  private final ObjectOutput.Upload upload;

  UploadedShard(StagedOutput output, ObjectOutput object) {
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
