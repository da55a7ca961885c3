package io.feedline.formats.support;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An unfinished file that records are added to. Each is written through before the call returns, or
 * not at all: when the disk is full the part that was written is removed again. The file is locked,
 * so that a second run of the same job is noticed.
 *
 * <p>Not thread-safe. Whoever opened it closes it; closing twice is allowed.
 */
public final class GrowingFile implements Closeable {

  private static final int BUFFER_BYTES = 1 << 18;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private long end;

  /** Whether the file ends with a part of a record that could not be removed. */
  private boolean torn;

  private GrowingFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Opens a file, or begins it. What it has is kept; {@link #cut} says up to where.
   *
   * @throws IOException if it cannot be opened, or another writer has it open
   */
  public static GrowingFile open(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      lock(file, channel);
      GrowingFile growing = new GrowingFile(file, channel);
      growing.cut(channel.size());
      return growing;
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

  /** Where it is. */
  public Path path() {
    return file;
  }

  /** Its length in bytes: where the next record begins. */
  public long end() {
    return end;
  }

  /** The channel, for reading by position what is there already; not to be closed. */
  public FileChannel channel() {
    return channel;
  }

  /**
   * Ends the file here.
   *
   * @throws IOException if that fails
   */
  public void cut(long end) throws IOException {
    channel.truncate(end);
    channel.position(end);
    this.end = end;
  }

  /**
   * Adds a record.
   *
   * @param pieces one after the other
   * @throws IOException if it cannot be written, with file and offset; the file is then as it was
   */
  public void append(byte[]... pieces) throws IOException {
    if (torn) {
      throw new IOException(
          "%s has a part of a record at offset %d, which could not be removed"
              .formatted(file, end));
    }
    long bytes = 0;
    try {
      for (byte[] piece : pieces) {
        put(piece);
        bytes += piece.length;
      }
      flush();
    } catch (IOException failed) {
      IOException explained =
          new IOException(
              "%s: writing at offset %d failed: %s".formatted(file, end, failed.getMessage()),
              failed);
      removeTail(explained);
      throw explained;
    }
    end += bytes;
  }

  private void removeTail(IOException failure) {
    buffer.clear();
    try {
      cut(end);
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
    WholeFile.writeFully(channel, buffer.flip());
    buffer.clear();
  }

  /**
   * Sees to it that all records are on the disk, and closes the file.
   *
   * @throws IOException if that fails
   */
  public void finish() throws IOException {
    try (FileChannel finished = channel) {
      finished.truncate(end);
      finished.force(true);
    } catch (IOException failed) {
      throw new IOException(
          "%s: its %d bytes cannot be made durable: %s".formatted(file, end, failed.getMessage()),
          failed);
    }
  }

  /**
   * Closes the file; what was added stays.
   *
   * @throws IOException if that fails
   */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
