package io.feedline.formats.recordio;

import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A writer of any records into a RecordIO file and its index. */
final class RecordIoWriter {

  /** The name of the files in the directory, without their extensions. */
  static final String DEFAULT_NAME = "data";

  private RecordIoWriter() {}

  /** The writer of {@link RecordIoDataset#writer}. */
  static StoreWriter<byte[]> open(Path directory) throws IOException {
    return StagedOutput.openFor(
        directory,
        StagedOutput.Kind.DIRECTORY,
        Map.of("format", "recordio records"),
        false,
        Records::new);
  }

  private static final class Records extends RecordIoFileWriter<byte[]> {
    Records(StagedOutput output) throws IOException {
      super(output, DEFAULT_NAME);
    }

    @Override
    protected byte[] record(byte[] sample) {
      return sample;
    }
  }
}
