package io.feedline.formats.lmdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A page of a database's tree, whose values are checked before use: for any bytes, no method reads
 * outside of the page, and an impossible value is an {@link IOException} that names the page.
 *
 * <p>Layout, from {@code mdb.c} of LMDB 0.9, in the machine's byte order; {@code lo} and {@code hi}
 * change places on a big-endian machine:
 *
 * <pre>
 *   page      0 u64 number | 8 u16 pad | 10 u16 flags | 12 u16 lower, u16 upper  (branch, leaf)
 *                                                       12 u32 pages             (overflow)
 *            16 u16 for each node: where it begins | free from lower to upper | nodes
 *   node      0 u16 lo, u16 hi | 4 u16 flags | 6 u16 bytes of the key | 8 key | value
 *   in a branch   lo, hi and flags are the child's page; the first node's key does not count
 *   in a leaf     lo, hi are the bytes of the value; if it is large, its first page is in its place
 * </pre>
 *
 * <p>Mutable: {@link #open} moves to another page. Belongs to one thread.
 */
final class TreePage {

  static final int HEADER_BYTES = 16;

  private static final int FLAGS = 10;
  private static final int LOWER = 12;
  private static final int UPPER = 14;
  private static final int PAGES = 12;

  private static final int BRANCH = 1;
  private static final int LEAF = 2;
  private static final int OVERFLOW = 4;

  private static final int NODE_BYTES = 8;
  private static final int KEY_BYTES = 6;
  private static final int NODE_FLAGS = 4;

  /** The flag of a node whose value has pages of its own. */
  private static final int LARGE = 1;

  /** The flag of a node whose value is a tree: a named database, or several values of a key. */
  private static final int TREE = 2;

  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private TreeSnapshot tree;
  private ByteBuffer memory;
  private int at;
  private long number;
  private int count;
  private int upper;
  private boolean leaf;

  /**
   * Moves to a page and checks its header.
   *
   * @param memory the memory that contains the page, in the machine's byte order
   * @param at the place of the page in the memory
   * @param number the expected number of the page
   * @param leaf whether the page should be a leaf, not a branch
   */
  TreePage open(TreeSnapshot tree, ByteBuffer memory, int at, long number, boolean leaf)
      throws IOException {
    this.tree = tree;
    this.memory = memory;
    this.at = at;
    this.number = number;
    this.leaf = leaf;
    long found = memory.getLong(at);
    int flags = u16(FLAGS);
    int lower = u16(LOWER);
    upper = u16(UPPER);
    if (found != number || flags != (leaf ? LEAF : BRANCH)) {
      throw damaged(
          "it should be a %s, and says that it is page %d with the flags 0x%04x"
              .formatted(leaf ? "leaf" : "branch", found, flags));
    }
    if (lower < HEADER_BYTES + 2 || lower > upper || upper > tree.pageBytes() || lower % 2 != 0) {
      throw damaged("its free space is from %d to %d".formatted(lower, upper));
    }
    count = (lower - HEADER_BYTES) / 2;
    return this;
  }

  ByteBuffer memory() {
    return memory;
  }

  /** Returns the number of nodes, 1 or more. */
  int count() {
    return count;
  }

  /** Returns the place of a node, for the other methods; checks that its key is within the page. */
  int node(int index) throws IOException {
    int node = u16(HEADER_BYTES + 2 * index);
    if (node < upper || node + NODE_BYTES > tree.pageBytes() || node % 2 != 0) {
      throw damaged("node %d begins at %d".formatted(index, node));
    }
    if (node + NODE_BYTES + keyBytes(node) > tree.pageBytes()) {
      throw damaged("the key of node %d has %d bytes".formatted(index, keyBytes(node)));
    }
    return node;
  }

  int keyBytes(int node) {
    return u16(node + KEY_BYTES);
  }

  /** Returns the key of a node, as a view of the page. */
  ByteBuffer key(int node) {
    return memory.slice(at + keyAt(node), keyBytes(node));
  }

  int keyAt(int node) {
    return node + NODE_BYTES;
  }

  /** Compares a key with a node's key by unsigned bytes, as LMDB does; a prefix comes first. */
  int compare(ByteBuffer key, int length, int node) {
    return compare(key, 0, length, node);
  }

  int compareNodes(int node, int other) {
    return compare(memory, at + keyAt(node), keyBytes(node), other);
  }

  private int compare(ByteBuffer key, int begin, int length, int node) {
    int other = at + keyAt(node);
    int otherLength = keyBytes(node);
    int common = Math.min(length, otherLength);
    for (int i = 0; i < common; i++) {
      int difference = (key.get(begin + i) & 0xFF) - (memory.get(other + i) & 0xFF);
      if (difference != 0) {
        return difference;
      }
    }
    return length - otherLength;
  }

  /** Returns the bytes that a node takes in the page; its value must have been checked before. */
  int nodeBytes(int node, boolean large) {
    int value = !leaf ? 0 : large ? Long.BYTES : (int) valueBytes(node);
    return NODE_BYTES + keyBytes(node) + value + 1 & -2;
  }

  /** Checks that the nodes leave no gap in the page, by the bytes that they take together. */
  void requireFilled(int bytes) throws IOException {
    if (bytes != tree.pageBytes() - upper) {
      throw damaged(
          "its nodes take %d bytes, and have %d".formatted(bytes, tree.pageBytes() - upper));
    }
  }

  /** Returns the page to which a node of a branch points. */
  long child(int node) throws IOException {
    long child = size(node) | (long) u16(node + NODE_FLAGS) << 32;
    if (child < TreeSnapshot.FIRST_PAGE || child > tree.lastPage()) {
      throw damaged(
          "it leads to page %d; the database ends with %d".formatted(child, tree.lastPage()));
    }
    return child;
  }

  /** Returns the length of the value of a leaf's node. */
  long valueBytes(int node) {
    return size(node);
  }

  /** Returns the place in the memory of a leaf node's value that is not large. */
  int value(int node) throws IOException {
    int value = node + NODE_BYTES + keyBytes(node);
    if (value + valueBytes(node) > tree.pageBytes()) {
      throw damaged("the value at %d has %d bytes".formatted(node, valueBytes(node)));
    }
    return at + value;
  }

  /**
   * Returns the first page of a large value, and checks that all its pages are in the database;
   * {@link TreeSnapshot#NO_PAGE} if the value is not large.
   */
  long overflow(int node) throws IOException {
    int flags = u16(node + NODE_FLAGS);
    if (flags == 0) {
      return TreeSnapshot.NO_PAGE;
    }
    if ((flags & TREE) != 0) {
      throw new IOException(
          "the key '%s' is a database with a name of its own, or has several values; neither can be read"
              .formatted(LmdbLayout.shown(key(node))));
    }
    int pointer = node + NODE_BYTES + keyBytes(node);
    if (flags != LARGE || pointer + Long.BYTES > tree.pageBytes()) {
      throw damaged("the node at %d has the flags 0x%04x".formatted(node, flags));
    }
    long first = memory.getLong(at + pointer);
    long pages = tree.overflowPagesOf(valueBytes(node));
    if (first < TreeSnapshot.FIRST_PAGE || first > tree.lastPage() + 1 - pages) {
      throw damaged(
          "a value of %d pages begins at page %d; the database ends with %d"
              .formatted(pages, first, tree.lastPage()));
    }
    return first;
  }

  /**
   * Checks the header of a large value, and returns the number of its pages. A value may have more
   * pages than it needs: LMDB keeps the pages of a value when a shorter value replaces it.
   *
   * @param memory the memory that contains the header, in the machine's byte order
   * @param at the place of the page in the memory
   * @param number the expected number of the page
   * @param pages the number of pages that the value needs
   */
  static long overflowPages(TreeSnapshot tree, ByteBuffer memory, int at, long number, long pages)
      throws IOException {
    long found = memory.getLong(at);
    int flags = Short.toUnsignedInt(memory.getShort(at + FLAGS));
    long length = Integer.toUnsignedLong(memory.getInt(at + PAGES));
    if (found != number
        || flags != OVERFLOW
        || length < pages
        || length > tree.lastPage() + 1 - number) {
      throw new IOException(
          "page %d is corrupt: a value of %d pages should begin here; it says that it is page %d, with the flags 0x%04x and %d pages"
              .formatted(number, pages, found, flags, length));
    }
    return length;
  }

  private long size(int node) {
    int first = u16(node);
    int second = u16(node + 2);
    return LITTLE ? first | (long) second << 16 : second | (long) first << 16;
  }

  private int u16(int offset) {
    return Short.toUnsignedInt(memory.getShort(at + offset));
  }

  IOException damaged(String what) {
    return new IOException(
        "page %d, a %s of its tree, is corrupt: %s"
            .formatted(number, leaf ? "leaf" : "branch", what));
  }

  @Override
  public String toString() {
    return "page %d, %d nodes".formatted(number, count);
  }
}
