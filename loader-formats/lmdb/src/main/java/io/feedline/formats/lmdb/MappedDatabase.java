package io.feedline.formats.lmdb;

import io.feedline.data.StoreException;
import io.feedline.formats.store.internal.files.OpenFile;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that is open for reading: its file, mapped into memory, and the newest state of its
 * tree.
 *
 * <h2>Implementation note</h2>
 *
 * <p><b>No lock.</b> A read does not register as a reader. So it needs neither LMDB's library nor a
 * lock file, and does not keep a writer from reusing pages. A read checks the two meta pages before
 * and after. LMDB's writer of transaction N reuses pages that transactions up to N - 2 have freed
 * ({@code mdb_find_oldest}); these are pages of states up to N - 3. So the pages of state T are
 * unchanged while the newest committed transaction is T or T + 1, because the writer's transaction
 * is then T + 2 at most. A read that ends later starts again with the newest state.
 *
 * <p><b>Trust.</b> {@link MappedTree} searches the tree, and checks each page before use. Opening
 * also checks the whole tree once, unless the tree is very large ({@link #MOST_CHECKED_PAGES}) or
 * this process has checked it before.
 *
 * <p><b>Memory.</b> The JDK unmaps the file when no buffer refers to it any more, so a value can be
 * read after {@link #close}.
 *
 * <p>Thread-safe. The code that opens it closes it.
 */
final class MappedDatabase implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(MappedDatabase.class);

  /** The largest number of bytes of a key in LMDB's default build. */
  private static final int LONGEST_KEY = 511;

  /**
   * The number of branch and leaf pages checked when a database is opened: 64 MiB, enough for a
   * million images or a million labels. The pages of a larger tree are checked when they are read;
   * {@link #checkTree} checks the whole tree.
   */
  static final long MOST_CHECKED_PAGES = 1 << 14;

  /** The number of attempts of a read, in case writers commit faster than the read ends. */
  private static final int MOST_ATTEMPTS = 100;

  /** The states of files whose trees have been checked, by the file's identity. */
  private static final Map<Object, String> CHECKED =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Object, String> eldest) {
              return size() > 64;
            }
          });

  private final DatabaseFile file;
  private final OpenFile pages;

  private final TreeSnapshot opened;

  private volatile MappedTree newest;

  private final ConcurrentLinkedDeque<Reader> idle = new ConcurrentLinkedDeque<>();

  private MappedDatabase(DatabaseFile file) throws IOException {
    this.file = file;
    this.pages = OpenFile.of(file.data());
    try {
      this.opened = snapshot();
      this.newest = mapped(opened);
      checkOnce();
    } catch (IOException | RuntimeException | Error failure) {
      pages.close();
      throw failure;
    }
  }

  static MappedDatabase open(Path path) throws IOException {
    return new MappedDatabase(DatabaseFile.of(path));
  }

  /** Checks the tree, unless this process has checked the same state of the file before. */
  private void checkOnce() throws IOException {
    if (opened.branchPages() + opened.leafPages() > MOST_CHECKED_PAGES
        || opened.lastPage() >= Integer.MAX_VALUE) {
      LOG.debug("{}: its tree is large and is checked as it is read", file.data());
      return;
    }
    BasicFileAttributes attributes = Files.readAttributes(file.data(), BasicFileAttributes.class);
    String state =
        opened + " " + attributes.size() + " " + attributes.lastModifiedTime().toInstant();
    if (!state.equals(CHECKED.get(file.identity()))) {
      check(false);
      CHECKED.put(file.identity(), state);
    }
  }

  private void check(boolean overflowHeaders) throws IOException {
    read(
        reader -> {
          TreeCheck.run(pages, reader.tree.snapshot(), overflowHeaders);
          return null;
        });
  }

  /** Checks all pages of the tree, and the first page of each large value. */
  void checkTree() throws IOException {
    check(true);
  }

  Path data() {
    return file.data();
  }

  long entries() {
    return opened.entries();
  }

  /** Returns the numbers of entries and pages, which change when values change. */
  String fingerprint() {
    return opened.entries() + ":" + opened.leafPages() + ":" + opened.overflowPages();
  }

  /** A read of a state; {@link Reader#unchanged} must follow each use of views in its result. */
  @FunctionalInterface
  interface Read<T extends @Nullable Object> {
    /** Reads from a state; called again if a writer has reused pages meanwhile. */
    T of(Reader reader) throws IOException;
  }

  /** Reads the newest state; fails if other processes commit faster than it is read. */
  <T extends @Nullable Object> T read(Read<T> read) throws IOException {
    Reader reader = idle.poll();
    if (reader == null) {
      reader = new Reader();
    }
    try {
      for (int i = 0; i < MOST_ATTEMPTS; i++) {
        reader.tree = newest();
        try {
          T result = read.of(reader);
          if (isAsItWas(reader.tree)) {
            return result;
          }
        } catch (IOException | RuntimeException failure) {
          if (isAsItWas(reader.tree)) {
            throw failure;
          }
        }
      }
    } finally {
      idle.push(reader);
    }
    throw new StoreException(
        "%s cannot be read: other processes commit faster than it is read".formatted(file.data()));
  }

  /** Returns whether no page of the state can have been reused. */
  private static boolean isAsItWas(MappedTree tree) {
    VarHandle.acquireFence(); // reads above this line are not moved below it
    return tree.newestTransaction() <= tree.snapshot().transaction() + 1;
  }

  private MappedTree newest() throws IOException {
    MappedTree known = newest;
    return known.newestTransaction() == known.snapshot().transaction() ? known : reopened();
  }

  private synchronized MappedTree reopened() throws IOException {
    TreeSnapshot found = snapshot();
    MappedTree tree = newest.at(found);
    if (tree == null) {
      tree = mapped(found);
    }
    newest = tree;
    return tree;
  }

  /** Reads the meta pages until two reads agree, since a writer may change them during a read. */
  private TreeSnapshot snapshot() throws IOException {
    for (int i = 0; i < MOST_ATTEMPTS; i++) {
      TreeSnapshot found = TreeSnapshot.newest(pages);
      if (found.equals(TreeSnapshot.newest(pages))) {
        return found;
      }
    }
    throw new StoreException(
        "%s cannot be read: its meta pages change all the time".formatted(file.data()));
  }

  private MappedTree mapped(TreeSnapshot tree) throws IOException {
    long bytes = Files.size(file.data());
    if (bytes < tree.bytes()) {
      throw new EOFException(
          "%s: the database is truncated: its pages take %d bytes, and it has %d"
              .formatted(file.data(), tree.bytes(), bytes));
    }
    return MappedTree.of(file.data(), tree, bytes);
  }

  /** A reader of a state for one thread at a time. Values are views of memory; null if absent. */
  final class Reader {
    private final ByteBuffer key = ByteBuffer.allocate(LONGEST_KEY);
    private final TreePage page = new TreePage();
    private ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 10);
    private MappedTree tree;

    private Reader() {}

    /** Returns the value of a key that is a big-endian number. */
    @Nullable ByteBuffer get(long number) throws IOException {
      return find(key.clear().putLong(number).flip());
    }

    @Nullable ByteBuffer get(byte[] name) throws IOException {
      return name.length == 0 || name.length > LONGEST_KEY
          ? null
          : find(key.clear().put(name).flip());
    }

    private @Nullable ByteBuffer find(ByteBuffer sought) throws IOException {
      try {
        return tree.find(sought, page);
      } catch (IOException e) {
        throw new IOException("%s: %s".formatted(file.data(), e.getMessage()), e);
      }
    }

    /** Returns direct memory for intermediate results, with arbitrary content. */
    ByteBuffer scratch(int bytes) {
      if (scratch.capacity() < bytes) {
        scratch = ByteBuffer.allocateDirect(bytes);
      }
      return scratch.clear();
    }

    /** Visits keys, as views valid only during a visit, until {@code keys} returns false. */
    void forEachKey(MappedTree.KeyVisitor keys) throws IOException {
      try {
        tree.forEachKey(keys);
      } catch (IOException e) {
        throw new IOException("%s: %s".formatted(file.data(), e.getMessage()), e);
      }
    }

    /** Returns a check that no page of this state was reused; run it after reading from a view. */
    Unchanged unchanged() {
      MappedTree seen = tree;
      return () -> {
        if (!isAsItWas(seen)) {
          throw new StoreException(
              "%s was changed by another process while a value was read; read it again"
                  .formatted(file.data()));
        }
      };
    }
  }

  @FunctionalInterface
  interface Unchanged {
    void require() throws IOException;
  }

  /** Closes the file; the memory stays mapped while it is in use. May be called twice. */
  @Override
  public void close() {
    try {
      pages.close();
    } catch (IOException e) {
      throw new UncheckedIOException(file.data() + " cannot be closed", e);
    }
  }
}
