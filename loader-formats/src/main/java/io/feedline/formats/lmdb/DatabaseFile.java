package io.feedline.formats.lmdb;

import io.feedline.formats.store.internal.OpenFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The file of an LMDB database, looked at before LMDB maps it. LMDB trusts what it maps: a file
 * that is shorter than its pages, or another file altogether, would end in a signal that takes the
 * JVM along. So the two meta pages are read here first.
 *
 * <p>Layout, from {@code mdb.c} of LMDB 0.9, in the byte order and word size of the machine that
 * wrote it; on 64 bits:
 *
 * <pre>
 *   page   0 u64 number | 8 u16 pad, u16 flags, u32 free | 16 meta
 *   meta   0 u32 magic 0xBEEFC0DE | 4 u32 version 1 | 8 u64 address | 16 u64 map size
 *         24 two databases of 48 bytes, the first beginning with u32 page size
 *        120 u64 last page | 128 u64 transaction
 * </pre>
 *
 * <p>Of the two meta pages, which are the first two pages, the one with the greater transaction
 * counts.
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

  private static final int MAGIC = 0xBEEFC0DE;
  private static final int VERSION = 1;

  /** Where the meta begins: behind the page's header, whose size depends on that of a word. */
  private static final int META_OF_64_BITS = 16;

  private static final int META_OF_32_BITS = 12;

  private static final int META_BYTES = 136;
  private static final int MIN_PAGE = 256;
  private static final int MAX_PAGE = 1 << 16;

  /** A meta, as far as it matters. */
  private record Meta(long pageBytes, long lastPage, long transaction) {}

  /**
   * Finds a database and checks that it can be mapped.
   *
   * @param path the directory that holds data.mdb, data.mdb itself, or a file that is a database
   *     without a directory
   * @throws IOException if there is none, it is no database of this kind of machine, or it is
   *     truncated
   */
  static DatabaseFile of(Path path) throws IOException {
    boolean directory = Files.isDirectory(path);
    Path data = directory ? path.resolve(DATA) : path;
    if (!Files.exists(data)) {
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
   * Whether there is an LMDB database, which may still be one that cannot be read: from another
   * kind of machine, or truncated.
   *
   * @param path a directory that may hold data.mdb, or a file of any name
   */
  static boolean isDatabase(Path path) {
    Path data = Files.isDirectory(path) ? path.resolve(DATA) : path;
    if (!Files.isRegularFile(data)) {
      return false;
    }
    ByteBuffer magic = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
    try (OpenFile file = OpenFile.of(data)) {
      file.read(META_OF_64_BITS, magic);
      return magic.getInt(0) == MAGIC;
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** What LMDB is told to open. */
  Path path() {
    return directory ? data.getParent() : data;
  }

  /** Where LMDB keeps who reads. */
  Path lock() {
    return directory
        ? data.resolveSibling(LOCK)
        : data.resolveSibling(data.getFileName() + "-lock");
  }

  /** What tells the lock's file from all others; null where there is none. */
  Object lockIdentity() throws IOException {
    Path lock = lock();
    if (!Files.exists(lock)) {
      return null;
    }
    Object key = Files.readAttributes(lock, BasicFileAttributes.class).fileKey();
    return key == null ? lock.toRealPath().toString() : key;
  }

  private static void check(Path data) throws IOException {
    try (FileChannel channel = FileChannel.open(data, StandardOpenOption.READ)) {
      Meta first = meta(data, channel, 0);
      Meta second = meta(data, channel, first.pageBytes());
      Meta newest = second.transaction() > first.transaction() ? second : first;
      long expected = Math.multiplyExact(newest.lastPage() + 1, newest.pageBytes());
      if (channel.size() < expected) {
        throw new EOFException(
            "%s: the database is truncated: it has %d pages of %d bytes, %d bytes in all; the file has %d"
                .formatted(
                    data, newest.lastPage() + 1, newest.pageBytes(), expected, channel.size()));
      }
    }
  }

  private static Meta meta(Path data, FileChannel channel, long page) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(META_OF_64_BITS + META_BYTES).order(ByteOrder.nativeOrder());
    while (bytes.hasRemaining() && channel.read(bytes, page + bytes.position()) > 0) {
      // Reads until there is no more.
    }
    int magic = bytes.position() < META_OF_64_BITS + 4 ? 0 : bytes.getInt(META_OF_64_BITS);
    if (magic != MAGIC) {
      throw new IOException("%s: %s".formatted(data, whyNot(bytes, page)));
    }
    if (bytes.hasRemaining()) {
      throw new EOFException(
          "%s: the database is truncated: it has %d bytes".formatted(data, channel.size()));
    }
    int version = bytes.getInt(META_OF_64_BITS + 4);
    if (version != VERSION) {
      throw new IOException(
          "%s: LMDB's data version %d; only version %d can be read"
              .formatted(data, version, VERSION));
    }
    long pageBytes = bytes.getInt(META_OF_64_BITS + 24);
    long lastPage = bytes.getLong(META_OF_64_BITS + 120);
    long transaction = bytes.getLong(META_OF_64_BITS + 128);
    if (pageBytes < MIN_PAGE
        || pageBytes > MAX_PAGE
        || Long.bitCount(pageBytes) != 1
        || lastPage < 1
        || lastPage > Long.MAX_VALUE / MAX_PAGE - 1) {
      throw new IOException(
          "%s: the meta page at byte %d is corrupt: page size %d, last page %d"
              .formatted(data, page, pageBytes, lastPage));
    }
    return new Meta(pageBytes, lastPage, transaction);
  }

  private static String whyNot(ByteBuffer bytes, long page) {
    if (page > 0) {
      return bytes.position() == 0
          ? "the database is truncated: it ends at byte " + page
          : "the second meta page, at byte %d, is corrupt".formatted(page);
    }
    for (int at : new int[] {META_OF_32_BITS, META_OF_64_BITS}) {
      int found = bytes.position() < at + 4 ? 0 : bytes.getInt(at);
      if (found == MAGIC || found == Integer.reverseBytes(MAGIC)) {
        return "an LMDB database of another kind of machine (%d bits, %s): copy it with mdb_dump there and mdb_load here"
            .formatted(
                at == META_OF_32_BITS ? 32 : 64,
                found == MAGIC ? "this byte order" : "the other byte order");
      }
    }
    return bytes.position() == 0
        ? "not an LMDB database: the file is empty"
        : "not an LMDB database: 0x%08x is not at byte %d".formatted(MAGIC, META_OF_64_BITS);
  }
}
