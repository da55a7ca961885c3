package io.feedline.formats.store.internal.files;

import io.feedline.data.FormatException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;

/**
 * A cache of unpacked parts of files, such as chunks and pages that contain several samples. It
 * keeps the most recently used parts, up to a number of bytes. If several workers need a part that
 * is not in the cache, the first worker makes the part and the others wait; the lock is held for
 * look-ups only. Thread-safe.
 */
public final class PartCache<V> {

  private final long maxBytes;

  /** The kept parts, the least recently used first; the map's monitor guards it. */
  private final Map<Key, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;

  /** A part's key; {@code whole}, compared by identity, is the array or column with the part. */
  public record Key(Object whole, int number) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && key.whole == whole && key.number == number;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(whole) * 31 + number;
    }
  }

  private record Entry<V>(FutureTask<V> content, long bytes) {}

  @FunctionalInterface
  public interface Source<V> {
    V restore() throws IOException;
  }

  /** Keeps parts of {@code maxBytes} in all; a larger part is kept until another part is added. */
  public PartCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  public V get(Key key, long size, Source<V> source) throws IOException {
    while (true) {
      FutureTask<V> made = new FutureTask<>(source::restore);
      FutureTask<V> content = lookUp(key, made, size);
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
        throw new InterruptedIOException(
            "interrupted while another thread restored a part of the file");
      }
    }
  }

  public V get(Key key, ToLongFunction<V> size, Source<V> source) throws IOException {
    AtomicReference<V> restored = new AtomicReference<>();
    V part =
        get(
            key,
            0,
            () -> {
              restored.set(source.restore());
              return restored.get();
            });
    if (restored.get() != null) {
      resize(key, size.applyAsLong(part));
    }
    return part;
  }

  private void resize(Key key, long size) {
    synchronized (entries) {
      Entry<V> entry = entries.get(key);
      if (entry != null) {
        entries.put(key, new Entry<>(entry.content(), size));
        bytes += size - entry.bytes();
        dropEldest();
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

  private FutureTask<V> lookUp(Key key, FutureTask<V> made, long size) {
    synchronized (entries) {
      Entry<V> entry = entries.get(key);
      if (entry != null) {
        return entry.content();
      }
      entries.put(key, new Entry<>(made, size));
      bytes += size;
      dropEldest();
      return made;
    }
  }

  private void dropEldest() {
    Iterator<Entry<V>> eldestFirst = entries.values().iterator();
    while (bytes > maxBytes && entries.size() > 1) {
      bytes -= eldestFirst.next().bytes();
      eldestFirst.remove();
    }
  }

  private void forget(Key key, FutureTask<V> content) {
    synchronized (entries) {
      Entry<V> entry = entries.get(key);
      if (entry != null && entry.content() == content) {
        entries.remove(key);
        bytes -= entry.bytes();
      }
    }
  }

  public long bytes() {
    synchronized (entries) {
      return bytes;
    }
  }
}
