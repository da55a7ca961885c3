package io.feedline.formats.store.internal.staging;

import io.feedline.formats.store.internal.files.LocalFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A view of a path in an object store, by which an object is written. The store shows an object
 * only when it is whole, at once under its final name. The file system itself is read-only: the
 * channel of a writable file system cannot express parts or abandonment, and its users expect to
 * move, append, lock and force files, which S3 cannot.
 *
 * <p>Thread-safe, but for an {@link Upload}.
 */
public interface ObjectOutput extends FileAttributeView {

  /** The name of an unfinished directory's journal, and the end of that of an object's journal. */
  String UNFINISHED = ".feedline-unfinished";

  String UNFINISHED_WORDS =
      "it is being written, or its writing was interrupted: give the command that writes it again"
          + " to continue";

  /** The version for replacing any existing object. */
  String ANY = "*";

  /** The version for an object that must be absent. */
  String ABSENT = "";

  record Content(byte[] bytes, String version) {}

  /** An object that is sent part by part, and exists when {@link #complete} returns. */
  interface Upload extends Closeable {

    void write(byte[] bytes) throws IOException;

    /** Makes an object of the parts; replaces a version as {@link ObjectOutput#write} does. */
    String complete(String version) throws IOException;

    /** Abandons the upload if it was not completed; nothing of it is left. May be called twice. */
    @Override
    void close() throws IOException;
  }

  interface Puts extends Closeable {

    /** Puts an object, whose bytes must not change any more; waits while too many puts run. */
    void put(String name, byte[] bytes, String version) throws IOException;

    void await() throws IOException;

    @Override
    void close();
  }

  /** Returns the view of a path; null if the file system is not a writable object store. */
  static @Nullable ObjectOutput of(Path path) {
    return LocalFiles.include(path) ? null : Files.getFileAttributeView(path, ObjectOutput.class);
  }

  /** Returns the current number of bytes of a file or an object; -1 if it is absent. */
  static long size(Path path) throws IOException {
    ObjectOutput object = of(path);
    try {
      return object == null ? Files.size(path) : object.size();
    } catch (NoSuchFileException absent) {
      return -1;
    }
  }

  static void deleteIfExists(Path path) throws IOException {
    ObjectOutput object = of(path);
    if (object == null) {
      Files.deleteIfExists(path);
    } else {
      object.delete();
    }
  }

  String version() throws IOException;

  long size() throws IOException;

  Content read() throws IOException;

  /** Replaces the given version, or throws a {@link ConflictException}; returns the new version. */
  String write(byte[] bytes, String version) throws IOException;

  /** Returns an upload, which has sent nothing yet. */
  Upload upload();

  Puts puts();

  void delete() throws IOException;

  boolean hasObjects() throws IOException;

  /** Lists all objects below this directory but journals of unfinished outputs. */
  void listObjects(Consumer<String> sink) throws IOException;

  record Listed(String name, long bytes, Instant modified) {}

  default void list(Consumer<Listed> sink) throws IOException {
    listObjects(name -> sink.accept(new Listed(name, -1, Instant.MIN)));
  }

  /** Deletes all objects below this directory but journals of unfinished outputs. */
  void deleteObjects() throws IOException;

  /** Deletes the directory if it is empty. Object stores have no empty directories. */
  default void removeEmptyDirectory() throws IOException {
    // An empty directory does not exist.
  }

  /** Aborts uploads of earlier runs to this object and to objects below this directory. */
  void abortUploads() throws IOException;

  final class ConflictException extends FileSystemException {
    private static final long serialVersionUID = 1;

    public ConflictException(String object, String reason) {
      super(object, null, reason);
    }
  }
}
