package io.feedline.formats.lmdb;

import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A check of a database's tree. It reads each page once, and checks everything that LMDB does not
 * check: all that {@link TreePage} checks, that no page is reached twice, that nodes leave no gap
 * in a page, that keys ascend within and between pages, and that there are as many pages and keys
 * as the meta page says. So the check finds a child's number that is damaged and points to another
 * page of the tree, which a look-up cannot notice.
 *
 * <p>Pages are read by position, not through LMDB's memory. Only the tree's pages are read. The
 * place of a large value is always checked, its first page only on request: reading 16 bytes of
 * each value, anywhere in the file, is slow if the file is not in the disk cache.
 *
 * <p>Belongs to one thread.
 */
final class TreeCheck {

  private final OpenFile file;
  private final TreeSnapshot tree;
  private final boolean overflowHeaders;

  private final BitSet reached = new BitSet();

  /** A buffer for a page of each level. */
  private final ByteBuffer[] pages;

  private final ByteBuffer header =
      ByteBuffer.allocate(TreePage.HEADER_BYTES).order(ByteOrder.nativeOrder());

  /** The last key of the leaves so far, which the next key must follow; null at first. */
  private byte @Nullable [] lastKey;

  private byte[] leastKey;

  private long branchPages;
  private long leafPages;
  private long overflowPages;
  private long entries;

  private TreeCheck(OpenFile file, TreeSnapshot tree, boolean overflowHeaders) {
    this.file = file;
    this.tree = tree;
    this.overflowHeaders = overflowHeaders;
    this.pages = new ByteBuffer[tree.depth()];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = ByteBuffer.allocateDirect(tree.pageBytes()).order(ByteOrder.nativeOrder());
    }
  }

  /** Checks the tree; with {@code overflowHeaders} also the first page of each large value. */
  static void run(OpenFile file, TreeSnapshot tree, boolean overflowHeaders) throws IOException {
    if (tree.lastPage() >= Integer.MAX_VALUE) {
      throw new IOException(
          "%s has %d pages; trees of at most %d can be checked"
              .formatted(file.path(), tree.lastPage() + 1, Integer.MAX_VALUE));
    }
    TreeCheck check = new TreeCheck(file, tree, overflowHeaders);
    try {
      if (!tree.isEmpty()) {
        check.page(tree.root(), 1);
      }
      check.compareCounts();
    } catch (IOException e) {
      throw new IOException("%s: %s".formatted(file.path(), e.getMessage()), e);
    }
  }

  private TreePage open(long number, int level, TreePage page) throws IOException {
    ByteBuffer memory = pages[level - 1];
    file.read(number * tree.pageBytes(), memory.clear());
    return page.open(tree, memory, 0, number, level == tree.depth());
  }

  private void page(long number, int level) throws IOException {
    reach(number, 1);
    TreePage page = open(number, level, new TreePage());
    if (level == tree.depth()) {
      leaf(page);
      return;
    }
    branchPages++;
    int used = 0;
    for (int i = 0; i < page.count(); i++) {
      int node = page.node(i);
      used += page.nodeBytes(node, false);
      if (i > 0) {
        leastKey = bytes(page.key(node));
        if (page.compare(ByteBuffer.wrap(lastKey), lastKey.length, node) >= 0) {
          throw page.damaged("the key of node %d does not follow the keys before".formatted(i));
        }
      }
      page(page.child(node), level + 1);
    }
    page.requireFilled(used);
  }

  private void leaf(TreePage page) throws IOException {
    leafPages++;
    entries += page.count();
    int first = page.node(0);
    if ((lastKey != null && page.compare(ByteBuffer.wrap(lastKey), lastKey.length, first) >= 0)
        || (leastKey != null
            && page.compare(ByteBuffer.wrap(leastKey), leastKey.length, first) > 0)) {
      throw page.damaged("its keys do not follow those before");
    }
    int before = first;
    int used = 0;
    for (int i = 0; i < page.count(); i++) {
      int node = page.node(i);
      if (i > 0 && page.compareNodes(before, node) >= 0) {
        throw page.damaged("the keys %d and %d are not in order".formatted(i - 1, i));
      }
      before = node;
      long value = page.overflow(node);
      if (value == TreeSnapshot.NO_PAGE) {
        page.value(node);
      } else {
        large(value, tree.overflowPagesOf(page.valueBytes(node)));
      }
      used += page.nodeBytes(node, value != TreeSnapshot.NO_PAGE);
    }
    page.requireFilled(used);
    lastKey = bytes(page.key(before));
  }

  private void large(long first, long needed) throws IOException {
    long count = needed;
    if (overflowHeaders) {
      file.read(first * tree.pageBytes(), header.clear());
      count = TreePage.overflowPages(tree, header, 0, first, needed);
    }
    reach(first, count);
    overflowPages += count;
  }

  private void reach(long first, long count) throws IOException {
    for (int page = (int) first; page < first + count; page++) {
      if (reached.get(page)) {
        throw new IOException("page %d is reached twice: its tree is corrupt".formatted(page));
      }
    }
    reached.set((int) first, (int) (first + count));
  }

  private void compareCounts() throws IOException {
    if (branchPages != tree.branchPages()
        || leafPages != tree.leafPages()
        // If headers are not read, a large value counts only the pages that it needs.
        || overflowPages > tree.overflowPages()
        || (overflowHeaders && overflowPages < tree.overflowPages())
        || entries != tree.entries()) {
      throw new IOException(
          "its tree has %d branch, %d leaf and %d overflow pages and %d keys; its meta page says %d, %d, %d and %d"
              .formatted(
                  branchPages,
                  leafPages,
                  overflowPages,
                  entries,
                  tree.branchPages(),
                  tree.leafPages(),
                  tree.overflowPages(),
                  tree.entries()));
    }
  }

  private static byte[] bytes(ByteBuffer key) {
    byte[] bytes = new byte[key.remaining()];
    key.get(bytes);
    return bytes;
  }
}
