package io.feedline.formats.store.internal.files;

import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.StoreException;
import io.feedline.internal.Closing;
import io.feedline.internal.MissingPaths;
import io.feedline.internal.ReadMeter;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files that any number of threads read by position at the same time. The most recently used files
 * stay open, up to a limit. Files whose provider gives neither {@link FileChannel}s nor {@link
 * PositionalReads} are each read by one thread at a time.
 *
 * <p>An interrupt, which closes a {@link FileChannel} for every thread that reads it, ends only the
 * read of the interrupted thread; reads of other threads are repeated on a new channel.
 *
 * <p>Thread-safe. The caller closes it; closing twice is allowed, and reading afterwards is an
 * {@link IllegalStateException}.
 */
public final class OpenFiles implements Closeable {

  public static final int DEFAULT_LIMIT = 128;

  private static final ThreadLocal<Lent> LENT = new ThreadLocal<>();

  private final int limit;

  /** The open files, the least recently used first; the map's monitor guards it. */
  private final Map<Path, Handle> open = new LinkedHashMap<>(16, 0.75f, true);

  private boolean closed;

  /** A file that is open or being opened. The fields are guarded by {@link #open}. */
  private static final class Handle {
    private final PositionalChannel channel;
    private int readers;
    private boolean dropped;

    Handle(PositionalChannel channel) {
      this.channel = channel;
    }
  }

  public OpenFiles(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("the limit of open files must be 1 or more, was " + limit);
    }
    this.limit = limit;
  }

  public long size(Path file) throws IOException {
    return with(file, PositionalChannel::size);
  }

  /** Tests whether each read of a file is a request to a server. */
  public boolean isFar(Path file) throws IOException {
    return !LocalFiles.include(file) && with(file, PositionalChannel::isFar);
  }

  public void read(Path file, long position, byte[] target, int offset, int length)
      throws IOException {
    read(file, position, ByteBuffer.wrap(target, offset, length));
  }

  /** Reads until the target is full; an {@link EOFException} names the file if it is too short. */
  public void read(Path file, long position, ByteBuffer target) throws IOException {
    Lent range = LENT.get();
    if (range != null && range.has(this, file, position, target.remaining())) {
      requireOpen(file);
      ReadMeter.add(target.remaining());
      range.copy(position, target);
      return;
    }
    readFrom(file, position, target);
  }

  private void readFrom(Path file, long position, ByteBuffer target) throws IOException {
    int start = target.position();
    int wanted = target.remaining();
    int missing =
        with(
            file,
            channel -> {
              target.position(start);
              while (target.hasRemaining()) {
                if (channel.read(target, position + target.position() - start) < 0) {
                  return target.remaining();
                }
              }
              return 0;
            });
    if (missing > 0) {
      throw new EOFException(
          "%s ends at byte %d; %d bytes are expected at offset %d"
              .formatted(file, size(file), wanted, position));
    }
    ReadMeter.add(wanted);
  }

  /** Copies a range to memory, where this thread reads the range until it closes the result. */
  public Closeable openRange(FileRange range) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(range.length())];
    ReadMeter before = new ReadMeter().enter();
    try {
      read(range.file(), range.offset(), bytes, 0, bytes.length);
    } finally {
      ReadMeter.restore(before);
    }
    Lent outer = LENT.get();
    LENT.set(new Lent(this, range, bytes));
    return () -> {
      if (outer == null) {
        LENT.remove();
      } else {
        LENT.set(outer);
      }
    };
  }

  private record Lent(OpenFiles files, FileRange range, byte[] bytes) {
    boolean has(OpenFiles by, Path file, long position, int length) {
      return files == by
          && position >= range.offset()
          && position + length <= range.end()
          && range.file().equals(file);
    }

    void copy(long position, ByteBuffer target) {
      target.put(bytes, (int) (position - range.offset()), target.remaining());
    }
  }

  /** Reads a whole file, even if it grows or shrinks meanwhile. */
  public byte[] readAll(Path file, long maxBytes) throws IOException {
    requireOpen(file);
    try (PositionalChannel channel = new PositionalChannel(open(file))) {
      long size = channel.size();
      if (size > maxBytes) {
        throw new IOException(
            "%s has %d bytes; at most %d are expected".formatted(file, size, maxBytes));
      }
      ReadMeter.expect(size);
      byte[] bytes = new byte[(int) size];
      int done = 0;
      while (true) {
        if (done == bytes.length) {
          // Reading one byte more shows whether the file has grown.
          ByteBuffer next = ByteBuffer.allocate(1);
          if (channel.read(next, done) < 0) {
            ReadMeter.add(done);
            return bytes;
          }
          bytes = Arrays.copyOf(bytes, Math.addExact(done, Math.max(done, 1024)));
          bytes[done++] = next.get(0);
        }
        int read = channel.read(ByteBuffer.wrap(bytes, done, bytes.length - done), done);
        if (read < 0) {
          ReadMeter.add(done);
          return Arrays.copyOf(bytes, done);
        }
        done += read;
      }
    }
  }

  private void requireOpen(Path file) {
    synchronized (open) {
      if (closed) {
        throw new IllegalStateException(file + " is read after it was closed");
      }
    }
  }

  @FunctionalInterface
  private interface Use<R> {
    R of(PositionalChannel channel) throws IOException;
  }

  private <R> R with(Path file, Use<R> use) throws IOException {
    while (true) {
      if (Thread.currentThread().isInterrupted()) {
        // A read by an interrupted thread would close the channel for all threads.
        throw new InterruptedIOException("interrupted before reading " + file);
      }
      Handle handle = acquire(file);
      try {
        return use.of(handle.channel);
      } catch (ClosedByInterruptException interrupted) {
        drop(file, handle);
        throw interrupted;
      } catch (ClosedChannelException closedByAnother) {
        drop(file, handle);
      } finally {
        release(handle);
      }
    }
  }

  private Handle acquire(Path file) throws IOException {
    synchronized (open) {
      Handle handle = reuse(file);
      if (handle != null) {
        return handle;
      }
    }
    // Not under the lock: opening may take long where files are remote.
    PositionalChannel channel = new PositionalChannel(open(file));
    Handle handle = null;
    try {
      synchronized (open) {
        handle = reuse(file);
        if (handle == null) {
          handle = new Handle(channel);
          handle.readers = 1;
          open.put(file, handle);
          closeIdle();
        }
        return handle;
      }
    } finally {
      if (handle == null || handle.channel != channel) {
        channel.close();
      }
    }
  }

  private Handle reuse(Path file) {
    requireOpen(file);
    Handle handle = open.get(file);
    if (handle != null) {
      handle.readers++;
    }
    return handle;
  }

  public static SeekableByteChannel open(Path file) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      // Opening in an interrupted thread would close a ZIP file system for all threads.
      throw new InterruptedIOException("interrupted before opening " + file);
    }
    try {
      return Files.newByteChannel(file, StandardOpenOption.READ);
    } catch (NoSuchFileException absent) {
      FileNotFoundException failure =
          new FileNotFoundException(
              file + ": there is no such file, or no longer" + MissingPaths.nearest(file));
      failure.initCause(absent);
      throw failure;
    } catch (AccessDeniedException denied) {
      throw denied.getReason() != null
          ? denied
          : new IOException(file + ": the file may not be read", denied);
    } catch (ClosedByInterruptException interrupted) {
      throw interrupted;
    } catch (ClosedChannelException | ClosedFileSystemException closed) {
      throw new IOException(
          ("%s: its file system (%s) is closed, by its owner or by the interrupt of a thread that"
                  + " read from it; it has to be opened anew")
              .formatted(file, provider(file)),
          closed);
    } catch (UnsupportedOperationException | OutOfMemoryError unable) {
      if (LocalFiles.include(file)) {
        throw unable;
      }
      throw new StoreException(
          "%s: the file system provider '%s' gives no channel for this file (%s); copy it to a local path first"
              .formatted(file, provider(file), unable),
          unable);
    }
  }

  private static String provider(Path file) {
    return file.getFileSystem().provider().getScheme();
  }

  public void forget(Path file) throws IOException {
    synchronized (open) {
      Handle handle = open.remove(file);
      if (handle == null) {
        return;
      }
      handle.dropped = true;
      if (handle.readers == 0) {
        handle.channel.close();
      }
    }
  }

  private void closeIdle() throws IOException {
    Iterator<Handle> eldestFirst = open.values().iterator();
    while (open.size() > limit && eldestFirst.hasNext()) {
      Handle handle = eldestFirst.next();
      if (handle.readers == 0) {
        eldestFirst.remove();
        handle.channel.close();
      }
    }
  }

  private void drop(Path file, Handle handle) {
    synchronized (open) {
      open.remove(file, handle);
      handle.dropped = true;
    }
  }

  private void release(Handle handle) throws IOException {
    synchronized (open) {
      handle.readers--;
      if (handle.readers == 0 && (closed || handle.dropped)) {
        handle.channel.close();
      }
    }
  }

  int openFiles() {
    synchronized (open) {
      return open.size();
    }
  }

  @Override
  public void close() throws IOException {
    List<PositionalChannel> idle;
    synchronized (open) {
      closed = true;
      idle =
          open.values().stream()
              .filter(handle -> handle.readers == 0)
              .map(handle -> handle.channel)
              .toList();
      open.clear();
    }
    Closing.each(idle);
  }
}
