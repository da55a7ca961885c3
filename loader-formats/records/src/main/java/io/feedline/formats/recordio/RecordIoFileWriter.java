package io.feedline.formats.recordio;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.staging.ShardFiles;
import io.feedline.formats.store.internal.staging.ShardedWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;

abstract class RecordIoFileWriter<S> extends ShardedWriter<S> {

  private static final String NAME = "data.rec";

  private final Path rec;

  private final ByteArrayOutputStream index = new ByteArrayOutputStream();

  RecordIoFileWriter(StagedOutput output) {
    super(output, ShardFiles.ofOne(output, output.path().resolve(NAME)));
    this.rec = output.path().resolve(NAME);
  }

  protected abstract byte[] record(S sample) throws FormatException;

  protected final Path rec() {
    return rec;
  }

  @Override
  protected final void add(S sample) throws IOException {
    byte[] record = record(sample);
    if (record.length > RecordIoLayout.MAX_RECORD_BYTES) {
      throw new FormatException(
          "%s, key %d: %d bytes are more than a record may have, %d"
              .formatted(rec, added(), record.length, RecordIoLayout.MAX_RECORD_BYTES));
    }
    String line = added() + "\t" + shards().shardBytes() + "\n";
    shards().append(RecordIoLayout.encode(record));
    index.writeBytes(line.getBytes(US_ASCII));
  }

  @Override
  protected void finish() throws IOException {
    shards().end();
    output().write(RecordIoDataset.indexOf(rec), index.toByteArray());
  }
}
