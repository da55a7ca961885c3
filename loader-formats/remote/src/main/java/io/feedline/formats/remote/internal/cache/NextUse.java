package io.feedline.formats.remote.internal.cache;

import io.feedline.formats.remote.internal.s3.RemoteObject;

/**
 * An order in which lines (parts of objects) will be read; a cache keeps those needed soonest.
 *
 * <p>Positions count samples, and count on from one epoch to the next. If several ranks share a
 * cache, the answers are for the reads of all these ranks, since a line that one rank does not need
 * may be another rank's next line. Orders of several loaders are compared by the distance from
 * their {@link #position} to the next use.
 *
 * <p>Thread-safe. The cache calls the methods with locks held, so they must not read from the
 * cache.
 */
@FunctionalInterface
interface NextUse {

  /** The answer for a line that the order does not read again. */
  long NEVER = Long.MAX_VALUE;

  long UNKNOWN = -1;

  /** Returns the position of the next read of a line, {@link #NEVER} or {@link #UNKNOWN}. */
  long nextUse(RemoteObject object, long line);

  /** Returns how many bytes of a line the order will still read, or {@link NextUse#UNKNOWN}. */
  default long bytesToCome(RemoteObject object, long line) {
    long next = nextUse(object, line);
    return next == UNKNOWN ? UNKNOWN : next == NEVER ? 0 : Long.MAX_VALUE;
  }

  default long position() {
    return 0;
  }
}
