package io.feedline.formats.media.internal;

import io.feedline.internal.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The decoders that are open but not in use, the most recently used first. Thread-safe.
 *
 * @param <D> a decoder
 */
public final class Idle<D extends Closeable> implements Closeable {
  private final int limit;
  private final Deque<D> decoders = new ArrayDeque<>();
  private boolean closed;

  /** Takes the largest number of decoders that stay open, 1 or more. */
  public Idle(int limit) {
    this.limit = limit;
  }

  /**
   * Removes and returns the most recently used decoder that {@code wanted} accepts; null if it
   * accepts no decoder. The calling thread gives the decoder back or closes it.
   *
   * @param name the name of the file, for errors
   */
  public synchronized @Nullable D take(String name, Predicate<? super D> wanted) {
    requireOpen(name);
    for (Iterator<D> each = decoders.iterator(); each.hasNext(); ) {
      D decoder = each.next();
      if (wanted.test(decoder)) {
        each.remove();
        return decoder;
      }
    }
    return null;
  }

  /** Keeps an intact decoder for its next use, or closes it if {@link #close} was called. */
  public void give(D decoder) throws IOException {
    D surplus = decoder;
    synchronized (this) {
      if (!closed) {
        decoders.addFirst(decoder);
        surplus = decoders.size() > limit ? decoders.removeLast() : null;
      }
    }
    if (surplus != null) {
      surplus.close();
    }
  }

  public synchronized void requireOpen(String name) {
    if (closed) {
      throw new IllegalStateException(name + " is read after it was closed");
    }
  }

  @Override
  public void close() throws IOException {
    List<D> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(decoders);
      decoders.clear();
    }
    Closing.each(open);
  }
}
