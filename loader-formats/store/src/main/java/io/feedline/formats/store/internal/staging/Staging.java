package io.feedline.formats.store.internal.staging;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The place where a {@link StagedOutput} grows, with its journal and its lock. */
abstract class Staging implements Closeable {

  private final Path path;
  private final Path target;
  private final JournalLines begun;

  Staging(Path path, Path target, JournalLines begun) {
    this.path = path;
    this.target = target;
    this.begun = begun;
  }

  final Path path() {
    return path;
  }

  final Path target() {
    return target;
  }

  /** Returns the journal of an interrupted run; empty for a new output. */
  final JournalLines begun() {
    return begun;
  }

  abstract void append(Map<String, Object> line, boolean durable) throws IOException;

  abstract void write(Path file, byte[] content) throws IOException;

  abstract void complete(ObjectOutput object, ObjectOutput.Upload upload) throws IOException;

  IOException explained(IOException failure) {
    return failure;
  }

  /** Ends the output; {@code samples} is negative if the journal has their number. Repeatable. */
  abstract void publish(long samples) throws IOException;
}
