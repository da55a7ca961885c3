package io.feedline.formats.lmdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a database in the memory that LMDB has mapped: finds a key's value, and goes through
 * all keys.
 *
 * <p>LMDB could do both, but believes its pages: one bit that has turned in a child's number or a
 * node's offset is a signal that ends the JVM, or a loop without end. Here every page, offset and
 * length is checked before it is used ({@link TreePage}), and no path is longer than the tree is
 * deep. An impossible page is an {@link IOException} that names it.
 *
 * <p>Immutable and thread-safe. Used only while LMDB has the database open, within a transaction
 * that reads the {@link TreeSnapshot} that is handed in.
 */
final class MappedTree {

  /** A multiple of every page size, and less than a buffer can hold. */
  private static final int SEGMENT_BITS = 30;

  private final long address;
  private final int pageBytes;

  /** The memory in parts of {@code 1 << SEGMENT_BITS} bytes; no page lies in two. */
  private final ByteBuffer[] segments;

  /**
   * A database in memory.
   *
   * @param address where it begins
   * @param bytes how many are mapped and within the file
   */
  MappedTree(long address, long bytes, int pageBytes) {
    this.address = address;
    this.pageBytes = pageBytes;
    this.segments = new ByteBuffer[(int) ((bytes - 1) >> SEGMENT_BITS) + 1];
    for (int i = 0; i < segments.length; i++) {
      long begin = (long) i << SEGMENT_BITS;
      long length = Math.min(1L << SEGMENT_BITS, bytes - begin);
      segments[i] = NativeBytes.view(address + begin, length).order(ByteOrder.nativeOrder());
    }
  }

  /** The number of the last transaction, as the meta pages have it now. */
  long newestTransaction() {
    ByteBuffer pages = segments[0];
    return Math.max(
        pages.getLong(TreeSnapshot.TRANSACTION_AT),
        pages.getLong(pageBytes + TreeSnapshot.TRANSACTION_AT));
  }

  /**
   * Finds a value.
   *
   * @param key from 0 to its limit
   * @param page to be used on the way
   * @return a view of the memory, not to be written to, or null where there is no such key
   * @throws IOException if the pages on the way are corrupt
   */
  @Nullable ByteBuffer find(TreeSnapshot tree, ByteBuffer key, TreePage page) throws IOException {
    if (tree.isEmpty()) {
      return null;
    }
    int length = key.limit();
    long number = tree.root();
    for (int level = 1; level < tree.depth(); level++) {
      open(tree, number, false, page);
      int below = 0;
      int above = page.count();
      while (above - below > 1) {
        int middle = (below + above) >>> 1;
        if (page.compare(key, length, page.node(middle)) < 0) {
          above = middle;
        } else {
          below = middle;
        }
      }
      number = page.child(page.node(below));
    }
    open(tree, number, true, page);
    int low = 0;
    int high = page.count() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int node = page.node(middle);
      int order = page.compare(key, length, node);
      if (order == 0) {
        requireOrder(page, key, middle);
        return value(tree, page, node);
      }
      if (order < 0) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return null;
  }

  /** A key that has become another one stands out between its neighbors. */
  private static void requireOrder(TreePage page, ByteBuffer key, int index) throws IOException {
    if ((index > 0 && page.compare(key, key.limit(), page.node(index - 1)) <= 0)
        || (index + 1 < page.count()
            && page.compare(key, key.limit(), page.node(index + 1)) >= 0)) {
      throw page.damaged("the keys around %d are not in order".formatted(index));
    }
  }

  private ByteBuffer value(TreeSnapshot tree, TreePage page, int node) throws IOException {
    long bytes = page.valueBytes(node);
    long first = page.overflow(node);
    if (first == TreeSnapshot.NO_PAGE) {
      int begin = page.value(node);
      return page.memory().slice(begin, (int) bytes);
    }
    ByteBuffer segment = segment(first);
    TreePage.overflowPages(tree, segment, offset(first), first, tree.overflowPagesOf(bytes));
    int begin = offset(first) + TreePage.HEADER_BYTES;
    return bytes <= segment.limit() - begin
        ? segment.slice(begin, (int) bytes)
        : NativeBytes.view(address + first * pageBytes + TreePage.HEADER_BYTES, bytes);
  }

  /**
   * Goes through all keys in their order. Values are not touched.
   *
   * @param keys given each key, as a view that is gone afterwards; returns whether to continue
   * @throws IOException if the pages on the way are corrupt, or have more keys than they should
   */
  void forEachKey(TreeSnapshot tree, SharedDatabase.KeyVisitor keys) throws IOException {
    if (!tree.isEmpty()) {
      new Walk(tree, keys).below(tree.root(), 1);
    }
  }

  private final class Walk {
    private final TreeSnapshot tree;
    private final SharedDatabase.KeyVisitor keys;
    private long visited;

    Walk(TreeSnapshot tree, SharedDatabase.KeyVisitor keys) {
      this.tree = tree;
      this.keys = keys;
    }

    boolean below(long number, int level) throws IOException {
      boolean leaf = level == tree.depth();
      TreePage page = open(tree, number, leaf, new TreePage());
      for (int i = 0; i < page.count(); i++) {
        int node = page.node(i);
        if (!leaf) {
          if (!below(page.child(node), level + 1)) {
            return false;
          }
        } else if (++visited > tree.entries()) {
          throw page.damaged(
              "there are more than the %d keys of the tree".formatted(tree.entries()));
        } else if (!keys.visit(page.key(node))) {
          return false;
        }
      }
      return true;
    }
  }

  private TreePage open(TreeSnapshot tree, long number, boolean leaf, TreePage page)
      throws IOException {
    return page.open(tree, segment(number), offset(number), number, leaf);
  }

  private ByteBuffer segment(long page) {
    return segments[(int) ((page * pageBytes) >> SEGMENT_BITS)];
  }

  private int offset(long page) {
    return (int) ((page * pageBytes) & ((1 << SEGMENT_BITS) - 1));
  }
}
