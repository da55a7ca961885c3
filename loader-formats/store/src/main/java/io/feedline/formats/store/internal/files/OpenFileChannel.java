package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * A read-only channel that cannot be mapped, for libraries that read a channel. An interrupt of a
 * reading thread leaves the channel open. Thread-safe, but for the channel's own position.
 */
public final class OpenFileChannel extends FileChannel {

  private final OpenFile file;
  private long position;

  public OpenFileChannel(OpenFile file) {
    this.file = file;
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    int wanted = (int) Math.min(target.remaining(), file.length() - position);
    if (wanted <= 0) {
      return target.hasRemaining() ? -1 : 0;
    }
    int limit = target.limit();
    target.limit(target.position() + wanted);
    try {
      file.read(position, target);
    } finally {
      target.limit(limit);
    }
    return wanted;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int read = read(target, position);
    position += Math.max(0, read);
    return read;
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    long all = 0;
    for (int i = offset; i < offset + length; i++) {
      int read = read(targets[i]);
      if (read < 0) {
        return all == 0 ? -1 : all;
      }
      all += read;
    }
    return all;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public FileChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    return file.length();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException("a file that is read by position is not mapped");
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException("nothing is transferred");
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new NonWritableChannelException();
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new NonWritableChannelException();
  }

  @Override
  public int write(ByteBuffer source, long position) {
    throw new NonWritableChannelException();
  }

  @Override
  public FileChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public void force(boolean metaData) {
    // The channel is read-only.
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException("nothing is locked");
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException("nothing is locked");
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }
}
