package io.feedline.formats.store.internal.staging;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The place where a {@link StagedOutput} grows, with its journal and its lock. Not thread-safe. The
 * caller closes it, which releases the lock; closing twice is allowed.
 */
abstract class Staging implements Closeable {

  private final Path path;
  private final Path target;
  private final JournalLines begun;

  /**
   * A place.
   *
   * @param path where the output grows
   * @param target where it will be; absolute
   * @param begun the journal of an interrupted run; empty for a new output
   */
  Staging(Path path, Path target, JournalLines begun) {
    this.path = path;
    this.target = target;
    this.begun = begun;
  }

  /** Returns the path at which the output grows. */
  final Path path() {
    return path;
  }

  /** Returns the final path of the output; absolute. */
  final Path target() {
    return target;
  }

  /** Returns the notes of an interrupted run; empty for a new output. */
  final JournalLines begun() {
    return begun;
  }

  /**
   * Adds a line to the journal.
   *
   * @param durable whether to wait until it is durable
   * @throws IOException if that fails, or another writer has taken over
   */
  abstract void append(Map<String, Object> line, boolean durable) throws IOException;

  /**
   * Writes a file of the output, whole or not at all, replacing a file of an earlier run.
   *
   * @throws IOException if that fails, or another writer has taken over
   */
  abstract void write(Path file, byte[] content) throws IOException;

  /**
   * Completes an object of the output, replacing an object of an earlier run.
   *
   * @throws IOException if that fails, or another writer has taken over
   */
  abstract void complete(ObjectOutput object, ObjectOutput.Upload upload) throws IOException;

  /**
   * Explains a failure: that another writer has taken over, if that is why. No other can by
   * default.
   *
   * @return the given failure, or an exception with it as its cause
   */
  IOException explained(IOException failure) {
    return failure;
  }

  /**
   * Notes that the output is complete and makes it visible, and releases the lock.
   *
   * @param samples how many it has; negative if that is noted already
   * @throws IOException if that fails; it can be repeated
   */
  abstract void publish(long samples) throws IOException;
}
