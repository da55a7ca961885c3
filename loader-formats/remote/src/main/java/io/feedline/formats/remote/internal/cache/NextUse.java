package io.feedline.formats.remote.internal.cache;

import io.feedline.formats.remote.internal.s3.RemoteObject;

/**
 * The known order in which lines will be read, by which a cache keeps the lines that are needed
 * soonest.
 *
 * <p>Positions count samples on one scale that continues over the ends of epochs. If several ranks
 * share a cache, the answers are for the reads of all these ranks, since a line that one rank does
 * not need may be another rank's next line. Orders of several loaders are compared by the distance
 * from their {@link #position} to the next use.
 *
 * <p>Thread-safe; called with locks held, so it must not read from the cache.
 */
@FunctionalInterface
interface NextUse {

  /** The position of a line that the order does not contain again. */
  long NEVER = Long.MAX_VALUE;

  long UNKNOWN = -1;

  /** Returns the position of the next read of a line, {@link #NEVER} or {@link #UNKNOWN}. */
  long nextUse(RemoteObject object, long line);

  /** Returns how many bytes of a line are read from now on, or {@link NextUse#UNKNOWN}. */
  default long bytesToCome(RemoteObject object, long line) {
    long next = nextUse(object, line);
    return next == UNKNOWN ? UNKNOWN : next == NEVER ? 0 : Long.MAX_VALUE;
  }

  default long position() {
    return 0;
  }
}
