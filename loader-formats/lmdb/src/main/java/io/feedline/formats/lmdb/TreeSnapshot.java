package io.feedline.formats.lmdb;

import io.feedline.formats.store.internal.files.OpenFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A state of a database, as one of its two meta pages describes it. Each committed transaction
 * writes a meta page: even transactions write page 0, odd transactions write page 1.
 *
 * <p>Layout, from {@code mdb.c} of LMDB 0.9, in the byte order and word size of the machine that
 * wrote it; on 64 bits:
 *
 * <pre>
 *   page   0 u64 number | 8 u16 pad, u16 flags, u32 free | 16 meta
 *   meta   0 u32 magic 0xBEEFC0DE | 4 u32 version 1 | 8 u64 address | 16 u64 map size
 *         24 the tree of free pages | 72 the tree of keys and values
 *        120 u64 last page | 128 u64 transaction
 *   tree   0 u32 pad (of the first: page size) | 4 u16 flags | 6 u16 depth | 8 u64 branch pages
 *         16 u64 leaf pages | 24 u64 overflow pages | 32 u64 entries | 40 u64 root, -1 for none
 * </pre>
 *
 * @param lastPage the last page that is in use; the file has all pages up to it
 * @param depth the number of pages from the root to a leaf, both included; 0 if the tree is empty
 * @param overflowPages the number of pages of values that are too large for a leaf
 * @param root the page of the tree's root, {@link #NO_PAGE} if the tree is empty
 */
record TreeSnapshot(
    int pageBytes,
    long transaction,
    long lastPage,
    int depth,
    long branchPages,
    long leafPages,
    long overflowPages,
    long entries,
    long root) {

  static final long NO_PAGE = -1;

  /** The first page behind the two meta pages. */
  static final long FIRST_PAGE = 2;

  private static final int MAGIC = 0xBEEFC0DE;
  private static final int VERSION = 1;

  /** The offset of the meta data: the size of the page's header, which depends on the word size. */
  private static final int META_OF_64_BITS = 16;

  private static final int META_OF_32_BITS = 12;
  private static final int META_BYTES = 136;
  private static final int TRANSACTION = 128;

  static final int TRANSACTION_AT = META_OF_64_BITS + TRANSACTION;

  private static final int TREE = 72;

  private static final int MIN_PAGE = 256;
  private static final int MAX_PAGE = 1 << 16;

  /** The largest number of levels, also LMDB's limit; a tree of 2^48 pages has fewer. */
  private static final int MAX_DEPTH = 32;

  /** The tree's flags, by their bits: how it orders keys, and whether a key has several values. */
  private static final String[] FLAGS = {
    "",
    "MDB_REVERSEKEY",
    "MDB_DUPSORT",
    "MDB_INTEGERKEY",
    "MDB_DUPFIXED",
    "MDB_INTEGERDUP",
    "MDB_REVERSEDUP"
  };

  boolean isEmpty() {
    return root == NO_PAGE;
  }

  long bytes() {
    return (lastPage + 1) * pageBytes;
  }

  long overflowPagesOf(long valueBytes) {
    return (TreePage.HEADER_BYTES - 1 + valueBytes) / pageBytes + 1;
  }

  static TreeSnapshot newest(OpenFile file) throws IOException {
    TreeSnapshot first = read(file, 0);
    TreeSnapshot second = read(file, first.pageBytes());
    boolean odd = second.transaction() > first.transaction();
    TreeSnapshot newest = odd ? second : first;
    // LMDB finds the meta page of a transaction only by its number being even or odd.
    if (newest.transaction() % 2 != (odd ? 1 : 0)) {
      throw new IOException(
          "%s: the meta page at byte %d is corrupt: transaction %d has its place in the other one"
              .formatted(file.path(), odd ? first.pageBytes() : 0, newest.transaction()));
    }
    return newest;
  }

  /** Tests whether a file begins like a database of any kind of machine. */
  static boolean hasMagic(OpenFile file) throws IOException {
    if (file.length() < META_OF_64_BITS + Integer.BYTES) {
      return false;
    }
    ByteBuffer bytes = ByteBuffer.allocate(META_OF_64_BITS + Integer.BYTES);
    file.read(0, bytes);
    for (int at : new int[] {META_OF_32_BITS, META_OF_64_BITS}) {
      int found = bytes.getInt(at);
      if (found == MAGIC || found == Integer.reverseBytes(MAGIC)) {
        return true;
      }
    }
    return false;
  }

  private static TreeSnapshot read(OpenFile file, long page) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(META_OF_64_BITS + META_BYTES);
    bytes.order(ByteOrder.nativeOrder());
    long there = Math.max(0, Math.min(bytes.capacity(), file.length() - page));
    file.read(page, bytes.limit((int) there));
    int magic = there < META_OF_64_BITS + Integer.BYTES ? 0 : bytes.getInt(META_OF_64_BITS);
    if (magic != MAGIC) {
      throw new IOException("%s: %s".formatted(file.path(), whyNot(bytes, page)));
    }
    if (there < bytes.capacity()) {
      throw new EOFException(
          "%s: the database is truncated: it has %d bytes".formatted(file.path(), file.length()));
    }
    ByteBuffer meta = bytes.slice(META_OF_64_BITS, META_BYTES).order(ByteOrder.nativeOrder());
    if (meta.getInt(4) != VERSION) {
      throw new IOException(
          "%s: LMDB's data version %d; only version %d can be read"
              .formatted(file.path(), meta.getInt(4), VERSION));
    }
    int flags = Short.toUnsignedInt(meta.getShort(TREE + 4));
    TreeSnapshot found =
        new TreeSnapshot(
            meta.getInt(24),
            meta.getLong(TRANSACTION),
            meta.getLong(120),
            Short.toUnsignedInt(meta.getShort(TREE + 6)),
            meta.getLong(TREE + 8),
            meta.getLong(TREE + 16),
            meta.getLong(TREE + 24),
            meta.getLong(TREE + 32),
            meta.getLong(TREE + 40));
    if (!found.isPossible()) {
      throw new IOException(
          "%s: the meta page at byte %d is corrupt: %s".formatted(file.path(), page, found));
    }
    if (flags != 0) {
      throw new IOException(
          "%s: the database was made with %s; only databases without flags can be read, with one value for a key, and keys in the order of their bytes"
              .formatted(file.path(), nameOf(flags)));
    }
    return found;
  }

  private boolean isPossible() {
    boolean pages =
        pageBytes >= MIN_PAGE
            && pageBytes <= MAX_PAGE
            && Integer.bitCount(pageBytes) == 1
            && lastPage >= 1
            && lastPage <= Long.MAX_VALUE / MAX_PAGE - 1;
    return pages
        && transaction >= 0
        && entries >= 0
        && depth <= MAX_DEPTH
        && (isEmpty()
            ? depth == 0 && entries == 0
            : depth > 0 && entries > 0 && root >= FIRST_PAGE && root <= lastPage);
  }

  private static String nameOf(int flags) {
    StringBuilder names = new StringBuilder();
    for (int bit = 1; bit < FLAGS.length; bit++) {
      if ((flags >> bit & 1) != 0) {
        names.append(names.isEmpty() ? "" : "|").append(FLAGS[bit]);
      }
    }
    return names.isEmpty() ? "the flags 0x%04x".formatted(flags) : names.toString();
  }

  private static String whyNot(ByteBuffer bytes, long page) {
    if (page > 0) {
      return bytes.limit() == 0
          ? "the database is truncated: it ends at byte " + page
          : "the second meta page, at byte %d, is corrupt".formatted(page);
    }
    for (int at : new int[] {META_OF_32_BITS, META_OF_64_BITS}) {
      int found = bytes.limit() < at + Integer.BYTES ? 0 : bytes.getInt(at);
      if (found == MAGIC || found == Integer.reverseBytes(MAGIC)) {
        return "an LMDB database of another kind of machine (%d bits, %s): copy it with mdb_dump there and mdb_load here"
            .formatted(
                at == META_OF_32_BITS ? 32 : 64,
                found == MAGIC ? "this byte order" : "the other byte order");
      }
    }
    return bytes.limit() == 0
        ? "not an LMDB database: the file is empty"
        : "not an LMDB database: 0x%08x is not at byte %d".formatted(MAGIC, META_OF_64_BITS);
  }
}
