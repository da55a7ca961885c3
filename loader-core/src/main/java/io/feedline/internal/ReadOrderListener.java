package io.feedline.internal;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;

/**
 * A listener to the order in which loaders will read files: a cache in front of the files, which
 * keeps the bytes that are needed soonest. A loader finds it as a view of a path, {@code
 * Files.getFileAttributeView(path, ReadOrderListener.class)}; file systems without a listener
 * return null.
 *
 * <p>Thread-safe.
 */
public interface ReadOrderListener extends FileAttributeView {

  /**
   * Begins to follow a loader. The loader calls the result from one thread at a time, and closes
   * the result when the loader reads no more.
   */
  Reads follow(Progress progress);

  /**
   * The place that a loader has reached. Positions count the loader's samples, on one scale that
   * continues over the ends of epochs. Thread-safe.
   */
  interface Progress {

    /** Returns the first position whose reads may still be to come. */
    long position();

    /** Returns whether the reads of a position have begun, or never will begin. */
    boolean isPast(long position);
  }

  /** The reads of a loader that are to come, as far as they are known. */
  interface Reads extends AutoCloseable {

    /**
     * Adds a read. The read takes effect at the next {@link #known}.
     *
     * @param position the position, counted as by {@link Progress}, not below the position of the
     *     read before
     * @param offset the offset of the read in the file, or a smaller offset
     * @param end the offset after the read, or a larger offset; {@link Long#MAX_VALUE}: the end of
     *     the file
     */
    void add(long position, Path file, long offset, long end);

    /**
     * Announces that the reads of all positions from {@code first} to {@code end - 1} were added.
     * Positions that were announced before stay known until they are past.
     */
    void known(long first, long end);

    /** Takes back all announced positions and all added reads. */
    void forget();

    /** Ends the announcements and forgets all of them. May be called twice. */
    @Override
    void close();
  }
}
