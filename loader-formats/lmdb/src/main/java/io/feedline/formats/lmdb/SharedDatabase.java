package io.feedline.formats.lmdb;

import io.feedline.data.StoreException;
import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.LmdbException;
import org.lmdbjava.LmdbNativeException;
import org.lmdbjava.Txn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that is open for reading: one LMDB environment for a file, however many datasets of
 * this process read it, since LMDB must not open a file twice in a process.
 *
 * <h2>Implementation note</h2>
 *
 * <p><b>Transactions.</b> A read takes a {@link Reader}, which is a read transaction, from a pool
 * of as many as have ever read at once. It is renewed if the meta pages show a newer transaction
 * and otherwise used as it is, since LMDB takes as long to renew and reset one as a look-up does.
 * One that has not been used for a second or two is reset, because an open one keeps a writer from
 * using pages again that have been freed since. None is tied to a thread (MDB_NOTLS), so nothing is
 * left behind by threads that end.
 *
 * <p><b>Trust.</b> LMDB maps the file and pins what a transaction reads; the tree is searched by
 * {@link MappedTree}, which believes no page. Opening also goes through the whole tree once, unless
 * it is very large ({@link #MOST_CHECKED_PAGES}) or has been gone through before in this process.
 *
 * <p><b>Closing.</b> After the last dataset has closed there are no new readers; the environment is
 * closed by the last of {@link #close} and the reads that were under way. Memory that is read is
 * therefore mapped.
 *
 * <p>Thread-safe.
 */
final class SharedDatabase {

  private static final Logger LOG = LoggerFactory.getLogger(SharedDatabase.class);

  /** Longer than any key of LMDB as it is built. */
  private static final int LONGEST_KEY = 511;

  private static final int MAX_READERS = 1022;

  /**
   * The most branch and leaf pages that are gone through when a database is opened: 64 MiB of them,
   * as a million images or a million labels have. A larger tree is checked page by page, as it is
   * read, and as a whole by {@link #checkTree}.
   */
  static final long MOST_CHECKED_PAGES = 1 << 14;

  /**
   * The number of times that a transaction is begun anew because a writer has overwritten its meta
   * page.
   */
  private static final int MAX_RENEWALS = 100;

  /** Closes idle readers, on threads of the JDK. */
  private static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

  // errno, the same on Linux, macOS and in the C runtime of Windows.
  private static final int EPERM = 1;
  private static final int EIO = 5;

  /** The room below which a disk counts as full, in bytes. */
  private static final long MOST_OF_A_FULL_DISK = 1 << 20;

  private static final int EACCES = 13;
  private static final int EROFS = 30;

  /** The open databases, by the file's identity; guards opening and closing. */
  private static final Map<Object, SharedDatabase> OPEN = new HashMap<>();

  /** The states of files whose trees have been gone through; guarded by OPEN. */
  private static final Map<Object, String> CHECKED =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, String> eldest) {
          return size() > 64;
        }
      };

  private final DatabaseFile file;
  private final OpenFile pages;
  private final Env<NativeBytes> env;
  private final Dbi<NativeBytes> dbi;
  private final Object lockIdentity;

  /** The state of the database when it was opened. */
  private final TreeSnapshot opened;

  /** The state that the last transaction read. */
  private volatile TreeSnapshot current;

  /** The database in memory; null as long as it is empty. */
  private volatile @Nullable MappedTree memory;

  /** Guarded by OPEN. */
  private int users;

  /** Guarded by this. */
  private final Deque<Reader> idle = new ArrayDeque<>();

  /** Reads under way; guarded by this. */
  private int reading;

  /** True if a call of {@link #releaseIdle} is due; guarded by this. */
  private boolean releasing;

  /** True if the last user has gone; guarded by this. */
  private boolean closing;

  /** True if the environment is closed; guarded by this. */
  private boolean shut;

  private SharedDatabase(DatabaseFile file) throws IOException {
    this.file = file;
    this.pages = OpenFile.of(file.data());
    this.env = openEnvironment(file);
    Reader first = null;
    try {
      this.dbi = env.openDbi((byte[]) null);
      this.lockIdentity = file.lockIdentity();
      this.current = TreeSnapshot.newest(pages);
      first = newReader();
      this.opened = first.tree;
      checkOnce(opened);
      first.release();
      idle.add(first);
    } catch (LmdbException e) {
      closeAll(first, e);
      throw failure(file.data(), "cannot be read", e);
    } catch (IOException | RuntimeException | Error e) {
      closeAll(first, e);
      throw e;
    }
  }

  private void closeAll(Reader first, Throwable reason) {
    try (pages;
        env) {
      if (first != null) {
        first.txn.close();
      }
    } catch (IOException | RuntimeException e) {
      reason.addSuppressed(e);
    }
  }

  /** Goes through the tree, unless this process did so before and the file is the same. */
  private void checkOnce(TreeSnapshot tree) throws IOException {
    if (tree.branchPages() + tree.leafPages() > MOST_CHECKED_PAGES
        || tree.lastPage() >= Integer.MAX_VALUE) {
      LOG.debug("{}: its tree is large and is checked as it is read", file.data());
      return;
    }
    BasicFileAttributes attributes = Files.readAttributes(file.data(), BasicFileAttributes.class);
    String state = tree + " " + attributes.size() + " " + attributes.lastModifiedTime().toInstant();
    if (!state.equals(CHECKED.get(file.identity()))) {
      TreeCheck.run(pages, tree, false);
      CHECKED.put(file.identity(), state);
    }
  }

  private static Env<NativeBytes> openEnvironment(DatabaseFile file) throws IOException {
    try {
      return openEnvironment(file, EnvFlags.MDB_RDONLY_ENV, EnvFlags.MDB_NOTLS);
    } catch (LmdbNativeException e) {
      int code = e.getResultCode();
      boolean noLock = code == EPERM || code == EACCES || code == EROFS;
      if (!noLock || !Files.isReadable(file.data())) {
        throw failure(file.data(), "cannot be opened", e);
      }
      LOG.info(
          "{} is read without a lock, as {} cannot be written ({}); no process may write to the"
              + " database meanwhile",
          file.data(),
          file.lock(),
          e.getMessage());
    }
    try {
      return openEnvironment(
          file, EnvFlags.MDB_RDONLY_ENV, EnvFlags.MDB_NOTLS, EnvFlags.MDB_NOLOCK);
    } catch (LmdbNativeException e) {
      throw failure(file.data(), "cannot be opened", e);
    }
  }

  private static Env<NativeBytes> openEnvironment(DatabaseFile file, EnvFlags... flags) {
    EnvFlags[] all = flags;
    if (!file.directory()) {
      all = Arrays.copyOf(flags, flags.length + 1);
      all[flags.length] = EnvFlags.MDB_NOSUBDIR;
    }
    return Env.create(NativeBytes.PROXY)
        .setMapSize(file.size())
        .setMaxReaders(MAX_READERS)
        .open(file.path().toFile(), all);
  }

  /**
   * Opens a database, or joins those who have it open.
   *
   * @throws IOException if there is no database, or it cannot be read
   * @throws IllegalStateException if LMDB's native library does not load
   */
  static SharedDatabase open(Path path) throws IOException {
    DatabaseFile.LMDB.require();
    DatabaseFile file = DatabaseFile.of(path);
    synchronized (OPEN) {
      SharedDatabase database = OPEN.get(file.identity());
      if (database == null || !database.reopen()) {
        requireOwnLock(file);
        database = new SharedDatabase(file);
        OPEN.put(file.identity(), database);
      }
      database.users++;
      return database;
    }
  }

  /**
   * Two environments of one process must not share a lock: the first to close frees both's places.
   */
  private static void requireOwnLock(DatabaseFile file) throws IOException {
    Object lock = file.lockIdentity();
    for (SharedDatabase database : OPEN.values()) {
      if (lock != null && lock.equals(database.lockIdentity)) {
        throw new IOException(
            "%s has been replaced since it was opened, and what it was before is still open in this process; close that first"
                .formatted(file.data()));
      }
    }
  }

  /** Returns the number of databases that this process has open. */
  static int openCount() {
    synchronized (OPEN) {
      return OPEN.size();
    }
  }

  /** The file with the pages, by its real path. */
  Path data() {
    return file.data();
  }

  /** Returns the number of keys. */
  long entries() {
    return opened.entries();
  }

  /** Numbers that change when values do: those of entries and pages. */
  String fingerprint() {
    return opened.entries() + ":" + opened.leafPages() + ":" + opened.overflowPages();
  }

  // ---- reading ------------------------------------------------------------------------------

  /**
   * Begins a read. The values read are valid until the reader is closed, by the same thread and
   * soon.
   *
   * @throws IllegalStateException if the database is closed
   * @throws IOException if LMDB refuses
   */
  Reader reader() throws IOException {
    Reader reader;
    synchronized (this) {
      if (closing) {
        throw new IllegalStateException(file.data() + " is closed");
      }
      reading++;
      reader = idle.pollLast();
    }
    boolean ready = false;
    try {
      if (reader == null) {
        reader = newReader();
      } else {
        reader.renew();
      }
      ready = true;
      return reader;
    } catch (LmdbException e) {
      throw failure(file.data(), "cannot be read", e);
    } finally {
      if (!ready) {
        ended(null);
      }
    }
  }

  private Reader newReader() throws IOException {
    Reader reader = new Reader(newTransaction());
    try {
      reader.begin();
      return reader;
    } catch (IOException | RuntimeException | Error e) {
      reader.txn.close();
      throw e;
    }
  }

  private Txn<NativeBytes> newTransaction() {
    try {
      return env.txnRead();
    } catch (Env.ReadersFullException full) {
      // Places of processes that were killed are only given back when somebody looks.
      env.readerCheck();
      return env.txnRead();
    }
  }

  /**
   * Goes through all pages of the tree, and looks at the first page of each large value.
   *
   * @throws IOException if the database is corrupt; the message names file and page
   * @throws IllegalStateException if the database is closed
   */
  void checkTree() throws IOException {
    try (Reader reader = reader()) {
      TreeCheck.run(pages, reader.tree, true);
    }
  }

  /** Finds out where LMDB has mapped the file, by a key whose place in the file is known. */
  private synchronized MappedTree locate(Txn<NativeBytes> txn, TreeSnapshot tree)
      throws IOException {
    if (memory == null) {
      long place = TreeCheck.firstKey(pages, tree);
      // LMDB goes along the pages that have just been checked.
      try (Cursor<NativeBytes> cursor = dbi.openCursor(txn)) {
        if (!cursor.first()) {
          throw new IOException(file.data() + ": LMDB finds no key in it");
        }
        memory = new MappedTree(cursor.key().address() - place, file.size(), tree.pageBytes());
      }
    }
    return memory;
  }

  /**
   * A read is over.
   *
   * @param reader to be used again, or null
   */
  private void ended(@Nullable Reader reader) {
    boolean last;
    boolean release = false;
    synchronized (this) {
      if (reader != null) {
        idle.addLast(reader);
        release = !releasing;
        releasing = true;
      }
      reading--;
      last = closing && reading == 0;
    }
    if (last) {
      shut();
    } else if (release) {
      LATER.execute(this::releaseIdle);
    }
  }

  /** Resets the transactions that have not been used since the last call; again in a second. */
  void releaseIdle() {
    boolean again;
    synchronized (this) {
      again = reading > 0;
      for (Reader reader : idle) {
        if (reader.used) {
          reader.used = false;
          again = true;
        } else {
          reader.release();
        }
      }
      releasing = again;
    }
    if (again) {
      LATER.execute(this::releaseIdle);
    }
  }

  /** Returns the number of open transactions of idle readers. */
  synchronized int openWhileIdle() {
    return (int) idle.stream().filter(reader -> reader.active).count();
  }

  /** One read: a transaction, and what a read needs beside it. Used by one thread at a time. */
  final class Reader implements AutoCloseable {
    private final Txn<NativeBytes> txn;
    private final ByteBuffer key = ByteBuffer.allocate(LONGEST_KEY);
    private final TreePage page = new TreePage();
    private ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 10);

    /** The tree that the transaction reads; null if it is empty. */
    private @Nullable TreeSnapshot tree;

    private MappedTree mapped;

    /** True if the transaction is open: it has been renewed and not reset. */
    private boolean active = true;

    /** True if it has been used since the last {@link #releaseIdle}. */
    private boolean used;

    private Reader(Txn<NativeBytes> txn) {
      this.txn = txn;
    }

    /** Makes it read the newest state. */
    private void renew() throws IOException {
      if (active && mapped != null && mapped.newestTransaction() == tree.transaction()) {
        return;
      }
      release();
      txn.renew();
      active = true;
      boolean begun = false;
      try {
        begin();
        begun = true;
      } finally {
        if (!begun) {
          // It is not used again; a writer shall not wait for it.
          release();
        }
      }
    }

    /** Resets the transaction, if it is open. */
    private void release() {
      if (active) {
        active = false;
        txn.reset();
      }
    }

    /** Finds out what the transaction reads, which another process may have changed. */
    private void begin() throws IOException {
      tree = current;
      for (int renewals = 0; tree == null || tree.transaction() != txn.getId(); renewals++) {
        tree = TreeSnapshot.ofTransaction(pages, current.pageBytes(), txn.getId());
        if (tree != null) {
          current = tree;
        } else if (renewals < MAX_RENEWALS) {
          txn.reset();
          txn.renew();
        } else {
          throw new StoreException(
              "%s cannot be read: it has no transaction %d, of which its lock file %s speaks"
                  .formatted(file.data(), txn.getId(), file.lock()));
        }
      }
      if (tree.bytes() > file.size()) {
        throw new StoreException(
            "%s: another process has made it larger since it was opened; open it again"
                .formatted(file.data()));
      }
      mapped = tree.isEmpty() || memory != null ? memory : locate(txn, tree);
    }

    /**
     * The value of a key that is a big-endian number.
     *
     * @return a view of LMDB's memory, not to be written to, or null where there is no such key
     */
    @Nullable ByteBuffer get(long number) throws IOException {
      return find(key.clear().putLong(number).flip());
    }

    /**
     * The value of a key.
     *
     * @return a view of LMDB's memory, not to be written to, or null where there is no such key
     */
    @Nullable ByteBuffer get(byte[] name) throws IOException {
      return name.length == 0 || name.length > LONGEST_KEY
          ? null
          : find(key.clear().put(name).flip());
    }

    private ByteBuffer find(ByteBuffer sought) throws IOException {
      try {
        return mapped == null ? null : mapped.find(tree, sought, page);
      } catch (IOException | IllegalStateException e) {
        throw new IOException("%s: %s".formatted(file.data(), e.getMessage()), e);
      }
    }

    /** Direct memory for what is decompressed on the way; arbitrary content. */
    ByteBuffer scratch(int bytes) {
      if (scratch.capacity() < bytes) {
        scratch = ByteBuffer.allocateDirect(bytes);
      }
      return scratch.clear();
    }

    /**
     * Goes through all keys in their order. Values are not touched.
     *
     * @param keys given each key, as a view that is gone afterwards; returns whether to continue
     */
    void forEachKey(KeyVisitor keys) throws IOException {
      if (mapped != null) {
        try {
          mapped.forEachKey(tree, keys);
        } catch (IOException e) {
          throw new IOException("%s: %s".formatted(file.data(), e.getMessage()), e);
        }
      }
    }

    /** Frees the transaction, which LMDB only does for one that has been renewed. */
    private void free() {
      try {
        if (!active) {
          txn.renew();
        }
        txn.close();
      } catch (LmdbException e) {
        // The environment frees its place when it closes; some bytes of the transaction are lost.
        LOG.warn("{}: a read transaction could not be freed", file.data(), e);
      }
    }

    /** Ends the read. Closing twice is an error of the caller. */
    @Override
    public void close() {
      used = true;
      ended(this);
    }
  }

  /** Is told keys. */
  interface KeyVisitor {
    boolean visit(ByteBuffer key) throws IOException;
  }

  // ---- closing ------------------------------------------------------------------------------

  /** A user has gone. To be called once by each. */
  void close() {
    synchronized (OPEN) {
      users--;
      if (users > 0) {
        return;
      }
      synchronized (this) {
        closing = true;
        if (reading > 0) {
          return;
        }
      }
      shut();
    }
  }

  /** Tests whether the environment is still there for another user. */
  private boolean reopen() {
    synchronized (this) {
      if (shut) {
        return false;
      }
      closing = false;
      return true;
    }
  }

  private void shut() {
    synchronized (OPEN) {
      List<Reader> readers;
      synchronized (this) {
        if (!closing || reading > 0 || shut) {
          // Somebody has joined meanwhile.
          return;
        }
        shut = true;
        readers = new ArrayList<>(idle);
        idle.clear();
      }
      OPEN.remove(file.identity(), this);
      try (pages) {
        readers.forEach(Reader::free);
      } catch (IOException e) {
        throw new UncheckedIOException(file.data() + " cannot be closed", e);
      } finally {
        env.close();
      }
    }
  }

  // ---- errors -------------------------------------------------------------------------------

  /** Tests whether a disk has no room for some pages. */
  private static boolean isFull(Path data) {
    try {
      return Files.getFileStore(data).getUsableSpace() < MOST_OF_A_FULL_DISK;
    } catch (IOException unknown) {
      return false;
    }
  }

  /** A failure of LMDB in words. */
  static IOException failure(Path data, String what, RuntimeException e) {
    String reason = e.getMessage();
    if (e instanceof LmdbNativeException numbered
        && (numbered.getResultCode() == EACCES || numbered.getResultCode() == EPERM)) {
      IOException denied = new AccessDeniedException(data.toString(), null, reason);
      denied.initCause(e);
      return denied;
    }
    if (e instanceof LmdbNativeException numbered
        && numbered.getResultCode() == EIO
        && isFull(data)) {
      reason = "the disk is full (" + reason + ")"; // LMDB's name for a page written in part
    }
    if (e instanceof Env.ReadersFullException) {
      reason = "all places for readers in its lock file are taken";
    } else if (e instanceof Dbi.MapResizedException) {
      reason = "another process has made it larger since it was opened; open it again";
    } else if (e instanceof LmdbNativeException.PageCorruptedException
        || e instanceof LmdbNativeException.PageNotFoundException) {
      reason = "it is corrupt (" + reason + ")";
    }
    return new IOException("%s %s: %s".formatted(data, what, reason), e);
  }
}
