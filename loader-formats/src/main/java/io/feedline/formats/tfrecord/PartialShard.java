package io.feedline.formats.tfrecord;

import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.internal.GrowingFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard that is being written. What an interrupted run left is verified, and cut behind its last
 * whole record. Not thread-safe.
 */
final class PartialShard implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(PartialShard.class);

  private final GrowingFile file;
  private long records;

  private PartialShard(GrowingFile file) {
    this.file = file;
  }

  /**
   * Opens a shard, or begins it.
   *
   * @throws IOException if it cannot be opened, or another writer has it open
   */
  static PartialShard open(Path path) throws IOException {
    GrowingFile file = GrowingFile.open(path);
    try {
      PartialShard shard = new PartialShard(file);
      shard.recover();
      return shard;
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  private void recover() throws IOException {
    long end = 0;
    try (TfRecordReader reader = TfRecordReader.openPlain(file.path())) {
      while (reader.next() != null) {
        records = reader.record();
        end = reader.offset();
      }
    } catch (FormatException torn) {
      LOG.warn(
          "{} is cut behind {} whole records, at byte {} of {}, where a write was interrupted: {}",
          file.path(),
          records,
          end,
          file.end(),
          torn.getMessage());
    }
    file.cut(end);
  }

  long records() {
    return records;
  }

  /** Its size in bytes. */
  long end() {
    return file.end();
  }

  /**
   * Adds a record.
   *
   * @throws IOException if it cannot be written; the shard is then as it was before
   */
  void write(byte[] data) throws IOException {
    try {
      file.append(RecordLayout.header(data.length), data, RecordLayout.footer(data));
    } catch (IOException failed) {
      throw new IOException(
          "record %d, of %d bytes: %s".formatted(records, data.length, failed.getMessage()),
          failed);
    }
    records++;
  }

  /** Sees to it that all that was written is on the disk, and closes the file. */
  void finish() throws IOException {
    file.finish();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
