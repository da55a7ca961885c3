package io.feedline.formats.recordio;

import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A writer of any records into a RecordIO file and its index, as MXNet's {@code MXIndexedRecordIO}
 * does: a directory with {@code data.rec} and {@code data.idx}. A record has at most 2<sup>29</sup>
 * - 1 bytes.
 */
public final class RecordIoWriter {

  /** The name of the files in the directory, without their extensions. */
  static final String DEFAULT_NAME = "data";

  private RecordIoWriter() {}

  /**
   * Begins to write, or continues what was interrupted.
   *
   * @param directory where the file and its index are to be; must not exist, or be empty
   * @return a writer of records, which the caller closes; their arrays are not kept
   * @throws java.nio.file.FileAlreadyExistsException if there is something
   * @throws IOException if it cannot be written, or another writer is at it
   */
  public static StoreWriter<byte[]> open(Path directory) throws IOException {
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
