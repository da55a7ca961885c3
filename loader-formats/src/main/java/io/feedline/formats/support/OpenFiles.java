package io.feedline.formats.support;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Files that are read at given positions by many threads at once. A bounded number of them is open:
 * the one that was not used for longest is closed for the next, when nobody is reading it.
 *
 * <p>A thread that is interrupted while it reads closes the file it reads, as the JDK wants it;
 * other threads that were reading it open it again and do not notice.
 *
 * <p>Thread-safe. Its owner closes it; {@code close()} may be called twice, reading afterwards is
 * an {@link IllegalStateException}.
 */
public final class OpenFiles implements Closeable {

  /** Far below the 1024 descriptors that a process commonly may have. */
  public static final int DEFAULT_LIMIT = 128;

  private final int limit;
  private final Map<Path, Handle> handles = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  /** An open file; guarded by the map's monitor, but for reading the channel. */
  private static final class Handle {
    private final FileChannel channel;
    private int readers;
    private boolean dropped;

    Handle(FileChannel channel) {
      this.channel = channel;
    }
  }

  /**
   * Files of which some are open.
   *
   * @param limit how many, 1 or more; more than that while more threads read different ones
   */
  public OpenFiles(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("the limit of open files must be 1 or more, was " + limit);
    }
    this.limit = limit;
  }

  /**
   * Fills a buffer.
   *
   * @param target filled from its position to its limit
   * @param position in the file where the first byte is
   * @throws EOFException if the file ends before; the message names file, position and size
   * @throws FileNotFoundException if there is no such file
   * @throws IOException if it cannot be read
   */
  public void read(Path file, long position, ByteBuffer target) throws IOException {
    int start = target.position();
    while (true) {
      target.position(start);
      Handle handle = acquire(file);
      try {
        readFully(file, handle.channel, position, target);
        return;
      } catch (ClosedByInterruptException interrupted) {
        throw interrupted;
      } catch (ClosedChannelException closedByAnother) {
        // Another thread was interrupted while it read this file, or the owner closed everything,
        // which acquire() then says.
        drop(file, handle);
      } finally {
        release(handle);
      }
    }
  }

  private static void readFully(Path file, FileChannel channel, long position, ByteBuffer target)
      throws IOException {
    long at = position;
    while (target.hasRemaining()) {
      int read = channel.read(target, at);
      if (read < 0) {
        throw new EOFException(
            "%s: %d bytes are missing at offset %d; the file has %d bytes"
                .formatted(file, target.remaining(), at, channel.size()));
      }
      at += read;
    }
  }

  /**
   * The size of a file now, in bytes.
   *
   * @throws FileNotFoundException if there is no such file
   * @throws IOException if it cannot be opened
   */
  public long size(Path file) throws IOException {
    while (true) {
      Handle handle = acquire(file);
      try {
        return handle.channel.size();
      } catch (ClosedByInterruptException interrupted) {
        throw interrupted;
      } catch (ClosedChannelException closedByAnother) {
        drop(file, handle);
      } finally {
        release(handle);
      }
    }
  }

  /** Closes a file, if it is open: it is about to be replaced or deleted. */
  public void forget(Path file) throws IOException {
    Handle handle;
    synchronized (handles) {
      handle = handles.remove(file);
      if (handle == null) {
        return;
      }
      handle.dropped = true;
      if (handle.readers > 0) {
        return;
      }
    }
    handle.channel.close();
  }

  private Handle acquire(Path file) throws IOException {
    synchronized (handles) {
      if (closed) {
        throw new IllegalStateException("the dataset that reads " + file + " has been closed");
      }
      Handle handle = handles.get(file);
      if (handle == null) {
        makeRoom();
        handle = new Handle(open(file));
        handles.put(file, handle);
      }
      handle.readers++;
      return handle;
    }
  }

  /**
   * Opens a file for reading.
   *
   * @throws FileNotFoundException if there is no such file
   * @throws IOException if it cannot be opened; the message names it
   */
  public static FileChannel open(Path file) throws IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.READ);
    } catch (NoSuchFileException absent) {
      FileNotFoundException failure =
          new FileNotFoundException(file + ": there is no such file, or no longer");
      failure.initCause(absent);
      throw failure;
    } catch (AccessDeniedException denied) {
      throw new IOException(file + ": the file may not be read", denied);
    }
  }

  private void makeRoom() throws IOException {
    Iterator<Handle> oldestFirst = handles.values().iterator();
    while (handles.size() >= limit && oldestFirst.hasNext()) {
      Handle handle = oldestFirst.next();
      if (handle.readers == 0) {
        oldestFirst.remove();
        handle.channel.close();
      }
    }
  }

  private void drop(Path file, Handle handle) {
    synchronized (handles) {
      handles.remove(file, handle);
    }
  }

  private void release(Handle handle) throws IOException {
    synchronized (handles) {
      if (--handle.readers > 0 || !handle.dropped) {
        return;
      }
    }
    handle.channel.close();
  }

  /** How many files are open. */
  int open() {
    synchronized (handles) {
      return handles.size();
    }
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    synchronized (handles) {
      closed = true;
      for (Handle handle : handles.values()) {
        try {
          handle.channel.close();
        } catch (IOException e) {
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
      handles.clear();
    }
    if (failure != null) {
      throw failure;
    }
  }
}
