package io.feedline.formats.store.internal.staging;

import io.feedline.formats.store.internal.files.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

final class LocalShard implements ShardFile {

  private static final int BUFFER_BYTES = 1 << 18;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  LocalShard(Path file) throws IOException {
    this.file = file;
    this.channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
  }

  @Override
  public void append(byte[] bytes) throws IOException {
    int done = 0;
    while (done < bytes.length) {
      if (!buffer.hasRemaining()) {
        flush();
      }
      int step = Math.min(buffer.remaining(), bytes.length - done);
      buffer.put(bytes, done, step);
      done += step;
    }
  }

  private void flush() throws IOException {
    long start = channel.position();
    try {
      WholeFile.writeFully(channel, buffer.flip());
    } catch (IOException failed) {
      // The system's message, such as "no space left on device", names no file.
      throw new IOException(
          "%s: writing at offset %d failed: %s".formatted(file, start, failed.getMessage()),
          failed);
    }
    buffer.clear();
  }

  @Override
  public void complete() throws IOException {
    flush();
    try {
      WholeFile.force(channel, file);
    } catch (IOException failed) {
      throw new IOException(
          "%s: its %d bytes cannot be made durable: %s"
              .formatted(file, channel.position(), failed.getMessage()),
          failed);
    }
    close();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
