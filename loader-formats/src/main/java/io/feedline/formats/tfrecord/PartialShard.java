package io.feedline.formats.tfrecord;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard that is being written. Each record is written through before the call returns; what an
 * interrupted run left is verified, and cut behind its last whole record. Not thread-safe.
 */
final class PartialShard implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(PartialShard.class);

  private static final int BUFFER_BYTES = 1 << 18;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private long records;
  private long end;

  /** Whether the file ends with something that is not a record and could not be removed. */
  private boolean torn;

  private PartialShard(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Opens a shard, or begins it.
   *
   * @throws IOException if it cannot be opened, or another writer has it open
   */
  static PartialShard open(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      lock(file, channel);
      PartialShard shard = new PartialShard(file, channel);
      shard.recover();
      return shard;
    } catch (IOException | RuntimeException failed) {
      channel.close();
      throw failed;
    }
  }

  private static void lock(Path file, FileChannel channel) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException ours) {
      lock = null;
    }
    if (lock == null) {
      throw new IOException(file + " is being written by another writer");
    }
  }

  private void recover() throws IOException {
    try (TfRecordReader reader = TfRecordReader.openPlain(file)) {
      while (reader.next() != null) {
        records = reader.record();
        end = reader.offset();
      }
    } catch (TfRecordException torn) {
      LOG.warn(
          "{} is cut behind {} whole records, at byte {}: {} bytes are left of an interrupted write"
              + " ({})",
          file,
          records,
          end,
          channel.size() - end,
          torn.getMessage());
    }
    channel.truncate(end);
    channel.position(end);
  }

  Path file() {
    return file;
  }

  long records() {
    return records;
  }

  /** Its size in bytes. */
  long end() {
    return end;
  }

  /**
   * Adds a record.
   *
   * @throws IOException if it cannot be written; the shard is then as it was before
   */
  void write(byte[] data) throws IOException {
    if (torn) {
      throw new IOException(
          "%s ends with a part of record %d at offset %d, which could not be removed"
              .formatted(file, records, end));
    }
    try {
      put(RecordLayout.header(data.length));
      put(data);
      put(RecordLayout.footer(data));
      flush();
    } catch (IOException failed) {
      IOException explained =
          new IOException(
              "%s: writing %d bytes failed: %s"
                  .formatted(
                      TfRecordException.where(file, records, end),
                      data.length,
                      failed.getMessage()),
              failed);
      removeTail(explained);
      throw explained;
    }
    records++;
    end += (long) RecordLayout.FRAME_BYTES + data.length;
  }

  private void removeTail(IOException failure) {
    buffer.clear();
    try {
      channel.truncate(end);
      channel.position(end);
    } catch (IOException e) {
      torn = true;
      failure.addSuppressed(e);
    }
  }

  private void put(byte[] bytes) throws IOException {
    int done = 0;
    while (done < bytes.length) {
      int step = Math.min(buffer.remaining(), bytes.length - done);
      buffer.put(bytes, done, step);
      done += step;
      if (!buffer.hasRemaining()) {
        flush();
      }
    }
  }

  private void flush() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    buffer.clear();
  }

  /** Sees to it that all that was written is on the disk, and closes the file. */
  void finish() throws IOException {
    try (FileChannel finished = channel) {
      finished.truncate(end);
      finished.force(true);
    } catch (IOException failed) {
      throw new IOException(
          "%s: its %d bytes cannot be made durable: %s".formatted(file, end, failed.getMessage()),
          failed);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
