package io.feedline.formats.lmdb;

import io.feedline.data.StoreException;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.RequiredLibrary;
import io.feedline.internal.Presence;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The file of an LMDB database, looked at before LMDB maps it. LMDB trusts what it maps: a file
 * that is shorter than its pages, or another file altogether, would end in a signal that takes the
 * JVM along. So the two meta pages are read here first, and their {@link TreeSnapshot}s are
 * checked.
 *
 * @param data the file with the pages
 * @param directory whether the database is a directory that holds it as data.mdb, beside lock.mdb;
 *     otherwise the lock is beside it, with -lock behind its name
 * @param size the file's size in bytes
 * @param identity the same for the same file, whatever path leads to it
 */
record DatabaseFile(Path data, boolean directory, long size, Object identity) {

  static final String DATA = "data.mdb";
  static final String LOCK = "lock.mdb";

  /** LMDB itself, with what reaches it. */
  static final RequiredLibrary LMDB =
      new RequiredLibrary(
          "LMDB",
          "io.feedline:loader-lmdb",
          "org.lmdbjava.ByteArrayProxy",
          "com.kenai.jffi.MemoryIO");

  /**
   * Finds a database and checks that it can be mapped.
   *
   * @param path the directory that holds data.mdb, data.mdb itself, or a file that is a database
   *     without a directory
   * @throws IOException if it is not a local path, does not exist, is not a database of this kind
   *     of machine, or is truncated
   */
  static DatabaseFile of(Path path) throws IOException {
    LocalFiles.require(
        path,
        "LMDB maps its file into memory, which takes a local one",
        "Copy the database to a local directory; or convert it to a format that is read from any"
            + " file system (feedline convert --to webdataset)");
    boolean directory = Presence.isDirectory(path);
    Path data = directory ? path.resolve(DATA) : path;
    if (!Presence.exists(data)) {
      throw new NoSuchFileException(
          path.toString(),
          null,
          directory ? "there is no data.mdb in this directory" : "there is no such database");
    }
    if (!Files.isReadable(data)) {
      throw new AccessDeniedException(data.toString(), null, "the database may not be read");
    }
    if (!directory && path.endsWith(DATA)) {
      // Its lock is lock.mdb beside it, as for everybody who opens the directory.
      directory = true;
    }
    data = data.toRealPath();
    BasicFileAttributes attributes = Files.readAttributes(data, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new IOException(data + ": this is not a file");
    }
    check(data);
    Object key = attributes.fileKey();
    return new DatabaseFile(
        data, directory, attributes.size(), key == null ? data.toString() : key);
  }

  /**
   * Tests whether there is an LMDB database. It may still be unreadable: from another kind of
   * machine, or truncated.
   *
   * @param path a directory that may hold data.mdb, or a file of any name
   */
  static boolean isDatabase(Path path) throws IOException {
    Path data = Presence.isDirectory(path) ? path.resolve(DATA) : path;
    if (!Presence.isFile(data)) {
      return false;
    }
    try (OpenFile file = OpenFile.of(data)) {
      return TreeSnapshot.hasMagic(file);
    } catch (IOException failure) {
      if (StoreException.isBehind(failure)) {
        throw failure;
      }
      return false;
    }
  }

  /** Returns the path that LMDB opens. */
  Path path() {
    return directory ? data.getParent() : data;
  }

  /** Returns the file in which LMDB registers readers. */
  Path lock() {
    return directory
        ? data.resolveSibling(LOCK)
        : data.resolveSibling(data.getFileName() + "-lock");
  }

  /** Returns the identity of the lock's file; null if there is no file. */
  @Nullable Object lockIdentity() throws IOException {
    Path lock = lock();
    if (!Presence.exists(lock)) {
      return null;
    }
    Object key = Files.readAttributes(lock, BasicFileAttributes.class).fileKey();
    return key == null ? lock.toRealPath().toString() : key;
  }

  private static void check(Path data) throws IOException {
    try (OpenFile file = OpenFile.of(data)) {
      TreeSnapshot newest = TreeSnapshot.newest(file);
      if (file.length() < newest.bytes()) {
        throw new EOFException(
            "%s: the database is truncated: it has %d pages of %d bytes, %d bytes in all; the file has %d"
                .formatted(
                    data,
                    newest.lastPage() + 1,
                    newest.pageBytes(),
                    newest.bytes(),
                    file.length()));
      }
    }
  }
}
