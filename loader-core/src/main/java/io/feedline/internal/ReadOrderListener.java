package io.feedline.internal;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;

/**
 * A listener to the order in which loaders will read files: a cache in front of them, which keeps
 * what is needed soonest. A loader finds it as a view of a path, {@code
 * Files.getFileAttributeView(path, ReadOrderListener.class)}; file systems without one give null.
 *
 * <p>Thread-safe.
 */
public interface ReadOrderListener extends FileAttributeView {

  /**
   * Begins to follow a loader.
   *
   * @param progress says which of the reads are still to come
   * @return told by one thread at a time; closed when the loader reads no more
   */
  Reads follow(Progress progress);

  /**
   * The place that a loader has reached in its order. Positions count the samples that it takes, on
   * one scale that continues over the ends of epochs. Thread-safe.
   */
  interface Progress {

    /** Returns the first position whose reads may be to come. */
    long position();

    /** Returns whether the reads of a position have begun, or never will. */
    boolean isPast(long position);
  }

  /** The reads of a loader that are to come, as far as they are known. */
  interface Reads extends AutoCloseable {

    /**
     * Adds a read. It counts from the next {@link #known} on.
     *
     * @param position as {@link Progress} counts, not below that of the read before
     * @param offset where in the file what is read begins, or before
     * @param end the offset behind it, or more; {@link Long#MAX_VALUE}: the end of the file
     */
    void add(long position, Path file, long offset, long end);

    /**
     * Tells that the reads of all positions from one to another have been added. Positions that
     * were told before stay known until they are past.
     */
    void known(long first, long end);

    /** Takes back all that was told, and what was added since. */
    void forget();

    /** Ends it; all that was told is forgotten. May be called twice. */
    @Override
    void close();
  }
}
