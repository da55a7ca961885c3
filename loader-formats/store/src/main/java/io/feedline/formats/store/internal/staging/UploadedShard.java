package io.feedline.formats.store.internal.staging;

import java.io.FileNotFoundException;
import java.io.IOException;

/** A shard that is sent to an object store while it is written. Not thread-safe. */
final class UploadedShard implements ShardFile {

  private final StagedOutput output;
  private final ObjectOutput object;
  private final ObjectOutput.Upload upload;
  private long end;

  UploadedShard(StagedOutput output, ObjectOutput object) {
    this.output = output;
    this.object = object;
    this.upload = object.upload();
  }

  @Override
  public boolean canContinue() {
    return false;
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public void append(byte[]... pieces) throws IOException {
    try {
      for (byte[] piece : pieces) {
        upload.write(piece);
        end += piece.length;
      }
    } catch (FileNotFoundException givenUp) {
      throw output.explained(givenUp);
    }
  }

  /** Does nothing: the server keeps only whole objects. */
  @Override
  public void force() {
    // See complete().
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
