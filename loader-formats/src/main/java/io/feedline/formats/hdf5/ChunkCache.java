package io.feedline.formats.hdf5;

import io.feedline.formats.store.FormatException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Restored chunks that have several samples each, the last used ones, up to a number of bytes.
 * Workers that need the same chunk at once wait for the one that came first, instead of each
 * restoring it; the lock is held for looking up only. Thread-safe.
 */
final class ChunkCache {

  private final long maxBytes;

  /** The least recently used first; guarded by itself. */
  private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;

  /** A chunk of an array. */
  record Key(Object array, int chunk) {}

  /** A chunk that is there or is being restored, and what it takes. */
  private record Entry(FutureTask<byte[]> content, int bytes) {}

  /** Restores a chunk. */
  @FunctionalInterface
  interface Source {
    byte[] restore() throws IOException;
  }

  ChunkCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * A chunk's content, which must not be changed.
   *
   * @param size of the content
   */
  byte[] get(Key key, int size, Source source) throws IOException {
    while (true) {
      FutureTask<byte[]> made = new FutureTask<>(source::restore);
      FutureTask<byte[]> content = lookUp(key, made, size);
      if (content == made) {
        made.run();
      }
      try {
        return content.get();
      } catch (ExecutionException failed) {
        forget(key, content);
        boolean interruptedOther =
            failed.getCause() instanceof InterruptedIOException
                || failed.getCause() instanceof ClosedByInterruptException;
        if (content == made || !interruptedOther) {
          throw failure(failed.getCause());
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while another thread restored a chunk");
      }
    }
  }

  private static IOException failure(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof RuntimeException exception) {
      throw exception;
    }
    return cause instanceof FormatException damaged
        // Each waiting thread gets an exception of its own.
        ? new FormatException(damaged.getMessage(), damaged)
        : new IOException(cause.getMessage(), cause);
  }

  private FutureTask<byte[]> lookUp(Key key, FutureTask<byte[]> made, int size) {
    synchronized (entries) {
      Entry entry = entries.get(key);
      if (entry != null) {
        return entry.content();
      }
      entries.put(key, new Entry(made, size));
      bytes += size;
      Iterator<Entry> eldestFirst = entries.values().iterator();
      while (bytes > maxBytes && entries.size() > 1) {
        bytes -= eldestFirst.next().bytes();
        eldestFirst.remove();
      }
      return made;
    }
  }

  private void forget(Key key, FutureTask<byte[]> content) {
    synchronized (entries) {
      Entry entry = entries.get(key);
      if (entry != null && entry.content() == content) {
        entries.remove(key);
        bytes -= entry.bytes();
      }
    }
  }

  /** What the chunks take that are kept. */
  long bytes() {
    synchronized (entries) {
      return bytes;
    }
  }
}
