package io.feedline;

import io.feedline.internal.ReadOrderListener;
import java.util.BitSet;

/**
 * The positions of a loader's order that are past, since their reads have begun: all positions
 * before {@code next}, and some later positions. Thread-safe, by a lock that is held only briefly.
 */
final class ReadProgress implements ReadOrderListener.Progress {

  private static final int COMPACTED = 1 << 12;

  private long origin;

  private BitSet past = new BitSet();

  /** The first position that is not past, counted from the origin. */
  private int next;

  @Override
  public synchronized long position() {
    return origin + next;
  }

  @Override
  public synchronized boolean isPast(long position) {
    return position < origin || (position - origin < past.size() && past.get(at(position)));
  }

  private int at(long position) {
    return (int) (position - origin);
  }

  synchronized void pass(long position) {
    if (position < origin) {
      return;
    }
    past.set(at(position));
    next = past.nextClearBit(next);
    if (next >= COMPACTED) {
      past = past.get(next, Math.max(next, past.length()));
      origin += next;
      next = 0;
    }
  }

  /** Marks all positions before {@code position} as past, and no others. */
  synchronized void restart(long position) {
    origin = position;
    past = new BitSet();
    next = 0;
  }

  /** Marks all positions before {@code position} as past; later positions stay as they are. */
  synchronized void passAllBefore(long position) {
    if (position > origin + next) {
      int gone = (int) Math.min(Integer.MAX_VALUE, position - origin);
      past = past.get(gone, Math.max(gone, past.length()));
      origin = position;
      next = past.nextClearBit(0);
    }
  }
}
