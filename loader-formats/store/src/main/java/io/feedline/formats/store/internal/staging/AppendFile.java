package io.feedline.formats.store.internal.staging;

import io.feedline.formats.store.internal.files.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that records are added to. A record is in the file when {@link #append} returns, or not at
 * all: where the disk is full the part that was written is removed again.
 *
 * <p>Not thread-safe. The caller closes it; closing twice is allowed.
 */
final class AppendFile implements ShardFile {

  private static final int BUFFER_BYTES = 1 << 18;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private long end;

  private AppendFile(Path file, FileChannel channel, long end) {
    this.file = file;
    this.channel = channel;
    this.end = end;
  }

  /**
   * Opens a file, or begins it.
   *
   * @param end the length of the part to keep
   * @throws IOException if it cannot be opened, or is shorter
   */
  static AppendFile open(Path file, long end) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.size() < end) {
        throw new IOException(
            "%s has %d bytes, but %d had been written; restart to begin again"
                .formatted(file, channel.size(), end));
      }
      channel.truncate(end).position(end);
      return new AppendFile(file, channel, end);
    } catch (IOException | RuntimeException failed) {
      channel.close();
      throw failed;
    }
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public void append(byte[]... pieces) throws IOException {
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
      channel.truncate(end).position(end);
    } catch (IOException e) {
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

  @Override
  public void force() throws IOException {
    try {
      WholeFile.force(channel, file);
    } catch (IOException failed) {
      throw new IOException(
          "%s: its %d bytes cannot be made durable: %s".formatted(file, end, failed.getMessage()),
          failed);
    }
  }

  @Override
  public boolean canContinue() {
    return true;
  }

  @Override
  public void complete() throws IOException {
    close();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
