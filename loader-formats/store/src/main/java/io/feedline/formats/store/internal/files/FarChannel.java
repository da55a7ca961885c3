package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** A read-only channel of a file on a server. A small read fetches 64 KiB for later reads, too. */
public abstract class FarChannel implements SeekableByteChannel, PositionalReads {

  private static final int FEW_BYTES = 1 << 12;

  private static final int WINDOW_BYTES = 1 << 16;

  private final long size;
  private volatile Window window = new Window(0, ByteBuffer.allocate(0));
  private volatile boolean closed;
  private long position;

  private record Window(long start, ByteBuffer bytes) {
    boolean has(long position, int length) {
      return position >= start && position + length <= start + bytes.limit();
    }

    ByteBuffer slice(long position, int length) {
      return bytes.slice((int) (position - start), length);
    }
  }

  protected FarChannel(long size) {
    this.size = size;
  }

  /** Fills the target; the file has enough bytes. Several threads may call this at once. */
  protected abstract void fill(long from, ByteBuffer target) throws IOException;

  protected void release() throws IOException {}

  @Override
  public final int read(ByteBuffer target, long from) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (from < 0) {
      throw new IllegalArgumentException("position must be 0 or more, was " + from);
    }
    if (!target.hasRemaining()) {
      return 0;
    }
    int length = (int) Math.min(target.remaining(), size - from);
    if (length <= 0) {
      return -1;
    }
    if (length <= FEW_BYTES) {
      target.put(window(from, length).slice(from, length));
      return length;
    }
    int limit = target.limit();
    target.limit(target.position() + length);
    try {
      fill(from, target);
    } finally {
      target.limit(limit);
    }
    return length;
  }

  private Window window(long from, int length) throws IOException {
    Window near = window;
    if (near.has(from, length)) {
      return near;
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(WINDOW_BYTES, size - from));
    fill(from, bytes);
    near = new Window(from, bytes.flip());
    window = near;
    return near;
  }

  @Override
  public final int read(ByteBuffer target) throws IOException {
    int read = read(target, position);
    position += Math.max(0, read);
    return read;
  }

  @Override
  public final int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public final long position() throws IOException {
    requireOpen();
    return position;
  }

  @Override
  public final SeekableByteChannel position(long newPosition) throws IOException {
    requireOpen();
    if (newPosition < 0) {
      throw new IllegalArgumentException("position must be 0 or more, was " + newPosition);
    }
    position = newPosition;
    return this;
  }

  @Override
  public final long size() throws IOException {
    requireOpen();
    return size;
  }

  private void requireOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public final SeekableByteChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public final boolean isOpen() {
    return !closed;
  }

  @Override
  public final void close() throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    release();
  }
}
