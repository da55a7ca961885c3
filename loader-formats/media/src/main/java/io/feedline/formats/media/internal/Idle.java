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
 * Decoders that stay open for their next use, the last used first. Thread-safe.
 *
 * @param <D> a decoder
 */
public final class Idle<D extends Closeable> implements Closeable {
  private final int limit;
  private final Deque<D> decoders = new ArrayDeque<>();
  private boolean closed;

  /**
   * @param limit the most decoders that stay open, 1 or more
   */
  public Idle(int limit) {
    this.limit = limit;
  }

  /**
   * Returns a wanted decoder, which the calling thread gives back or closes; null if there is none.
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

  /** Takes a decoder back of which no method has failed; closes it if these decoders are closed. */
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
