package io.feedline.formats.lmdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a database in mapped memory: finds a key's value, and visits all keys.
 *
 * <p>LMDB could do both, but trusts its pages: one wrong bit in a child's number or a node's offset
 * causes a signal that ends the JVM, or an endless loop. Here every page, offset and length is
 * checked before it is used ({@link TreePage}), and no path is longer than the depth of the tree.
 * An impossible page is an {@link IOException} that names it.
 *
 * <p>Immutable and thread-safe.
 */
final class MappedTree {

  /** The binary logarithm of 1 GiB, a multiple of all page sizes and half of a buffer's limit. */
  private static final int SEGMENT_BITS = 30;

  private final Path file;
  private final TreeSnapshot tree;
  private final long bytes;

  /**
   * The mapped file. A buffer begins at each multiple of {@code 1 << SEGMENT_BITS}, and is as long
   * as possible. So each page, and each value of up to this size, lies within one buffer.
   */
  private final ByteBuffer[] segments;

  private MappedTree(Path file, TreeSnapshot tree, long bytes, ByteBuffer[] segments) {
    this.file = file;
    this.tree = tree;
    this.bytes = bytes;
    this.segments = segments;
  }

  static MappedTree of(Path file, TreeSnapshot tree, long bytes) throws IOException {
    ByteBuffer[] segments = new ByteBuffer[(int) ((bytes - 1) >> SEGMENT_BITS) + 1];
    try (FileChannel channel = FileChannel.open(file)) {
      for (int i = 0; i < segments.length; i++) {
        segments[i] = map(channel, (long) i << SEGMENT_BITS, bytes);
      }
    }
    return new MappedTree(file, tree, bytes, segments);
  }

  private static ByteBuffer map(FileChannel channel, long begin, long end) throws IOException {
    long length = Math.min(Integer.MAX_VALUE, end - begin);
    return channel.map(MapMode.READ_ONLY, begin, length).order(ByteOrder.nativeOrder());
  }

  /** Returns a tree for another state of the database; null if that needs more mapped memory. */
  @Nullable MappedTree at(TreeSnapshot other) {
    return other.bytes() <= bytes && other.pageBytes() == tree.pageBytes()
        ? new MappedTree(file, other, bytes, segments)
        : null;
  }

  TreeSnapshot snapshot() {
    return tree;
  }

  long newestTransaction() {
    ByteBuffer pages = segments[0];
    return Math.max(
        pages.getLong(TreeSnapshot.TRANSACTION_AT),
        pages.getLong(tree.pageBytes() + TreeSnapshot.TRANSACTION_AT));
  }

  /**
   * Returns the value of a key, as a read-only view of the memory; null if there is no such key.
   *
   * @param key the key, from 0 to its limit
   * @param page an object that is moved from page to page on the way
   * @throws IOException if the pages on the way are corrupt
   */
  @Nullable ByteBuffer find(ByteBuffer key, TreePage page) throws IOException {
    if (tree.isEmpty()) {
      return null;
    }
    int length = key.limit();
    long number = tree.root();
    for (int level = 1; level < tree.depth(); level++) {
      open(number, false, page);
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
    open(number, true, page);
    int low = 0;
    int high = page.count() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int node = page.node(middle);
      int order = page.compare(key, length, node);
      if (order == 0) {
        requireOrder(page, key, middle);
        return value(page, node);
      }
      if (order < 0) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return null;
  }

  /** Fails if a key and its neighbors are not in order, because one of them is damaged. */
  private static void requireOrder(TreePage page, ByteBuffer key, int index) throws IOException {
    if ((index > 0 && page.compare(key, key.limit(), page.node(index - 1)) <= 0)
        || (index + 1 < page.count()
            && page.compare(key, key.limit(), page.node(index + 1)) >= 0)) {
      throw page.damaged("the keys around %d are not in order".formatted(index));
    }
  }

  private ByteBuffer value(TreePage page, int node) throws IOException {
    long length = page.valueBytes(node);
    long first = page.overflow(node);
    if (first == TreeSnapshot.NO_PAGE) {
      int begin = page.value(node);
      return page.memory().slice(begin, (int) length);
    }
    ByteBuffer segment = segment(first);
    TreePage.overflowPages(tree, segment, offset(first), first, tree.overflowPagesOf(length));
    int begin = offset(first) + TreePage.HEADER_BYTES;
    if (length <= segment.limit() - begin) {
      return segment.slice(begin, (int) length);
    }
    if (length > Integer.MAX_VALUE) {
      throw new IOException(
          "a value of %d bytes; at most %d can be read".formatted(length, Integer.MAX_VALUE));
    }
    long position = first * tree.pageBytes() + TreePage.HEADER_BYTES;
    try (FileChannel channel = FileChannel.open(file)) {
      return map(channel, position, position + length);
    }
  }

  /** Visits keys, as views valid only during a visit, until {@code keys} returns false. */
  void forEachKey(KeyVisitor keys) throws IOException {
    if (!tree.isEmpty()) {
      new Walk(keys).below(tree.root(), 1);
    }
  }

  @FunctionalInterface
  interface KeyVisitor {
    boolean visit(ByteBuffer key) throws IOException;
  }

  private final class Walk {
    private final KeyVisitor keys;
    private long visited;

    Walk(KeyVisitor keys) {
      this.keys = keys;
    }

    boolean below(long number, int level) throws IOException {
      boolean leaf = level == tree.depth();
      TreePage page = open(number, leaf, new TreePage());
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

  private TreePage open(long number, boolean leaf, TreePage page) throws IOException {
    return page.open(tree, segment(number), offset(number), number, leaf);
  }

  private ByteBuffer segment(long page) {
    return segments[(int) ((page * tree.pageBytes()) >> SEGMENT_BITS)];
  }

  private int offset(long page) {
    return (int) ((page * tree.pageBytes()) & ((1 << SEGMENT_BITS) - 1));
  }
}
