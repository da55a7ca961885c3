package io.feedline.formats.lmdb;

import io.feedline.data.StoreException;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.internal.Presence;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The file of an LMDB database, which is checked before it is mapped or before LMDB opens it. LMDB
 * trusts mapped pages: if the file is shorter than its pages, or is not a database, a signal ends
 * the JVM. So the two meta pages are read first, and their {@link TreeSnapshot}s are checked.
 *
 * @param data the file with the pages, by its real path
 * @param identity an object that is equal for all paths of the same file
 */
record DatabaseFile(Path data, Object identity) {

  static final String DATA = "data.mdb";
  static final String LOCK = "lock.mdb";

  /**
   * Finds and checks the file of a database; {@code path} is a directory that contains data.mdb, or
   * a database file of any name.
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
    data = data.toRealPath();
    BasicFileAttributes attributes = Files.readAttributes(data, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new IOException(data + ": this is not a file");
    }
    check(data);
    Object key = attributes.fileKey();
    return new DatabaseFile(data, key == null ? data.toString() : key);
  }

  /**
   * Tests whether a path is a database, which may still be unreadable: of another kind of machine,
   * or truncated.
   *
   * @param path a directory that may contain data.mdb, or a file of any name
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
