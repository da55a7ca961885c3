package io.feedline.formats.store.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An open file of any file system, which threads read by position. If the channel has only one
 * position, the threads take turns. Thread-safe. The caller closes it; closing twice is allowed.
 */
final class PositionalChannel implements Closeable {

  /** The number of bytes that one read puts into an array; the JDK keeps a buffer of this size. */
  private static final int STEP = 1 << 18;

  private final SeekableByteChannel channel;
  private final @Nullable PositionalReads byPosition;
  private final boolean buffered;

  private final ReentrantLock turn = new ReentrantLock();

  PositionalChannel(SeekableByteChannel channel) {
    this.channel = channel;
    this.buffered = channel instanceof FileChannel;
    this.byPosition =
        channel instanceof FileChannel file
            ? file::read
            : channel instanceof PositionalReads reads ? reads : null;
  }

  int read(ByteBuffer target, long position) throws IOException {
    if (buffered && target.remaining() > STEP && !target.isDirect()) {
      int limit = target.limit();
      target.limit(target.position() + STEP);
      try {
        return byPosition.read(target, position);
      } finally {
        target.limit(limit);
      }
    }
    if (byPosition != null) {
      return byPosition.read(target, position);
    }
    takeTurn();
    try {
      // Some channels refuse a position behind their end.
      return position >= channel.size() ? -1 : channel.position(position).read(target);
    } finally {
      turn.unlock();
    }
  }

  private void takeTurn() throws InterruptedIOException {
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while other threads read the file");
    }
  }

  boolean isFar() {
    return channel instanceof PositionalReads;
  }

  long size() throws IOException {
    return channel.size();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
