package io.feedline.formats.lmdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.LmdbException;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Txn;

/**
 * A database of ours that is being written: values under the keys 0, 1, 2, ... in a directory that
 * has {@code .partial} behind its name, until {@link #commit}. The one writer holds a file beside
 * it locked, with {@code .partial.lock} behind its name.
 *
 * <h2>Implementation note</h2>
 *
 * <p><b>What is in the directory:</b> data.mdb and lock.mdb of LMDB, and plan.json, the metadata as
 * far as it is known. The metadata is put into the database last of all, so that the database does
 * not open as whole before that, even under another name; then what is not LMDB's is deleted, and
 * the directory renamed.
 *
 * <p><b>Batches.</b> Values are collected in memory, and written in one transaction when there are
 * enough. Where the map is full (MDB_MAP_FULL) the transaction is given up, the map doubled, and
 * the batch written again. A transaction is only as long as a write, and its failure loses nothing:
 * the values are still there, for another attempt, until {@link #close}.
 *
 * <p><b>Interruption.</b> LMDB's transactions are atomic and on the disk when they are committed,
 * so after a crash the database ends with a whole batch, and the number of its keys says where to
 * go on.
 *
 * <p>Not thread-safe.
 */
final class UnfinishedDatabase implements AutoCloseable {

  private static final String SUFFIX = ".partial";

  private static final String PLAN = "plan.json";
  private static final String WRITER_LOCK = ".lock";

  private static final int BATCH_VALUES = 1024;
  private static final int BATCH_BYTES = 32 << 20;
  private static final long FIRST_MAP_BYTES = 64L << 20;

  private final Path target;
  private final Path directory;
  private final FileChannel lock;
  private final Env<NativeBytes> env;
  private final Dbi<NativeBytes> dbi;
  private final NativeBytes key = NativeBytes.allocate(Long.BYTES + 8);

  private Metadata plan;
  private long mapBytes;

  /** The values of the batch, one behind the other, and where each ends. */
  private final ByteSink batch = new ByteSink();

  private final int[] ends = new int[BATCH_VALUES];
  private int batched;

  /** How many values are committed to LMDB. */
  private long stored;

  private State state = State.OPEN;

  private enum State {
    OPEN,
    COMMITTED,
    CLOSED
  }

  private UnfinishedDatabase(
      Path target, Path directory, FileChannel lock, Metadata newPlan, long firstMapBytes)
      throws IOException {
    this.target = target;
    this.directory = directory;
    this.lock = lock;
    Path data = directory.resolve(DatabaseFile.DATA);
    long bytes = Files.exists(data) ? Files.size(data) : 0;
    if (bytes > 0) {
      DatabaseFile.of(directory);
    }
    this.mapBytes = Math.max(firstMapBytes, Long.highestOneBit(Math.max(bytes, 1)) * 2);
    try {
      this.env =
          Env.create(NativeBytes.PROXY)
              .setMapSize(mapBytes)
              .open(directory.toFile(), EnvFlags.MDB_NOTLS);
    } catch (LmdbException e) {
      throw SharedDatabase.failure(data, "cannot be written", e);
    }
    try {
      this.dbi = env.openDbi((byte[]) null);
      this.plan = resume(newPlan);
      this.stored = env.stat().entries;
    } catch (LmdbException e) {
      env.close();
      throw SharedDatabase.failure(data, "cannot be written", e);
    } catch (IOException | RuntimeException | Error e) {
      env.close();
      throw e;
    }
  }

  /** Whether a data.mdb is that of an unfinished database. */
  static boolean isAt(Path data) {
    return Files.exists(data.resolveSibling(PLAN));
  }

  /** Where a database is built. */
  static Path partial(Path target) {
    Path name = target.toAbsolutePath().normalize();
    return name.resolveSibling(name.getFileName() + SUFFIX);
  }

  /**
   * Begins a database, or goes on with one. {@link Libraries#requireLmdb} comes before this class
   * is touched.
   *
   * @param plan the metadata as far as it is known; that of an interrupted run replaces it
   * @throws IOException if that is not possible, or the interrupted run is of another kind
   */
  static UnfinishedDatabase open(Path target, Metadata plan) throws IOException {
    return open(target, plan, FIRST_MAP_BYTES);
  }

  /** For tests, which have not the patience to fill a map. */
  static UnfinishedDatabase open(Path target, Metadata plan, long firstMapBytes)
      throws IOException {
    Path directory = partial(target);
    Files.createDirectories(directory.getParent());
    FileChannel lock = lock(directory);
    try {
      requireAbsent(target);
      Files.createDirectories(directory);
      return new UnfinishedDatabase(target, directory, lock, plan, firstMapBytes);
    } catch (IOException | RuntimeException | Error e) {
      try {
        unlock(directory, lock);
      } catch (IOException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  private static void requireAbsent(Path target) throws IOException {
    if (Files.exists(target)) {
      throw new FileAlreadyExistsException(
          target.toString(), null, "the database exists already; nothing was written");
    }
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(lockFile(directory), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock locked = null;
    try {
      locked = channel.tryLock();
    } catch (OverlappingFileLockException thisProcess) {
      // As good as another process.
      locked = null;
    } finally {
      if (locked == null) {
        channel.close();
      }
    }
    if (locked == null) {
      throw new IOException(directory + ": somebody else is writing this database");
    }
    return channel;
  }

  private static void unlock(Path directory, FileChannel lock) throws IOException {
    try (lock) {
      Files.deleteIfExists(lockFile(directory));
    }
  }

  private static Path lockFile(Path directory) {
    return directory.resolveSibling(directory.getFileName() + WRITER_LOCK);
  }

  /** Finds the plan of an interrupted run, or writes down this one's. */
  private Metadata resume(Metadata newPlan) throws IOException {
    Path file = directory.resolve(PLAN);
    Metadata found = null;
    if (Files.exists(file)) {
      found = parse(file, Files.readAllBytes(file));
    }
    byte[] committed = takeMetadata();
    if (committed != null) {
      // Interrupted between the last transaction and the new name.
      found = parse(directory, committed).withCount(0);
    }
    if (found == null) {
      if (env.stat().entries > 0) {
        throw new IOException(
            "%s holds a database that is not Feedline's, or lacks %s; nothing was written"
                .formatted(directory, PLAN));
      }
      writePlan(newPlan);
      return newPlan;
    }
    if (found.kind() != newPlan.kind()) {
      throw new IOException(
          "%s was begun with %s, not %s; delete it to begin anew"
              .formatted(directory, found.kind(), newPlan.kind()));
    }
    if (committed != null) {
      writePlan(found);
    }
    return found;
  }

  private static Metadata parse(Path where, byte[] json) throws IOException {
    try {
      return Metadata.parse(json);
    } catch (IOException e) {
      throw new IOException(where + ": " + e.getMessage(), e);
    }
  }

  /** Takes the metadata out of the database, so that values can follow; null if there is none. */
  private byte[] takeMetadata() {
    key.set(Metadata.key());
    try (Txn<NativeBytes> txn = env.txnWrite()) {
      NativeBytes value = dbi.get(txn, key);
      if (value == null) {
        return null;
      }
      byte[] json = value.copy();
      dbi.delete(txn, key);
      txn.commit();
      return json;
    }
  }

  private void writePlan(Metadata newPlan) throws IOException {
    Path file = directory.resolve(PLAN);
    Path next = directory.resolve(PLAN + ".new");
    Files.write(next, newPlan.toJson());
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The metadata as far as it is known. */
  Metadata plan() {
    return plan;
  }

  /** Changes the metadata; on the disk before any value that needs it. */
  void changePlan(Metadata newPlan) throws IOException {
    requireOpen();
    writePlan(newPlan);
    plan = newPlan;
  }

  /** How many values have been added, those of an interrupted run included. */
  long written() {
    return stored + batched;
  }

  /**
   * Adds a value. It is copied.
   *
   * @throws IOException if a batch cannot be written; what was committed before stays
   */
  void add(ByteBuffer value) throws IOException {
    requireOpen();
    if (batched > 0
        && (batched == BATCH_VALUES || (long) batch.size() + value.remaining() > BATCH_BYTES)) {
      flush();
    }
    batch.room(value.remaining()).put(value);
    ends[batched++] = batch.size();
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          "the writer of %s is %s".formatted(target, state.name().toLowerCase(Locale.ROOT)));
    }
  }

  private void flush() throws IOException {
    if (batched == 0) {
      return;
    }
    write(this::putBatch);
    stored += batched;
    batched = 0;
    batch.clear();
  }

  private void putBatch(Txn<NativeBytes> txn) {
    int start = 0;
    for (int i = 0; i < batched; i++) {
      put(txn, key.set(stored + i), batch.array(), start, ends[i] - start);
      start = ends[i];
    }
  }

  /** Puts a value behind all others: LMDB gives the memory, so that there is no copy between. */
  private void put(Txn<NativeBytes> txn, NativeBytes under, byte[] from, int start, int length) {
    dbi.reserve(txn, under, length, PutFlags.MDB_APPEND).view().put(from, start, length);
  }

  /** What is done in a transaction, perhaps more than once. */
  private interface Puts {
    void accept(Txn<NativeBytes> txn);
  }

  private void write(Puts puts) throws IOException {
    while (true) {
      try (Txn<NativeBytes> txn = env.txnWrite()) {
        puts.accept(txn);
        txn.commit();
        return;
      } catch (Env.MapFullException full) {
        // The transaction is over; only then may the map change.
        mapBytes = Math.multiplyExact(mapBytes, 2);
      } catch (LmdbException e) {
        throw SharedDatabase.failure(
            directory.resolve(DatabaseFile.DATA),
            "cannot be written; the first %d samples are there, and can be continued"
                .formatted(stored),
            e);
      }
      grow();
    }
  }

  private void grow() throws IOException {
    try {
      env.setMapSize(mapBytes);
    } catch (LmdbException e) {
      throw SharedDatabase.failure(
          directory.resolve(DatabaseFile.DATA),
          "cannot be enlarged to a map of %d bytes".formatted(mapBytes),
          e);
    }
  }

  /**
   * Writes what is left, then the metadata, and gives the database its name.
   *
   * @throws IOException if that fails; it can be opened again, and tried again
   */
  void commit() throws IOException {
    requireOpen();
    flush();
    byte[] json = plan.withCount(stored).toJson();
    write(txn -> put(txn, key.set(Metadata.key()), json, 0, json.length));
    state = State.COMMITTED;
    try {
      env.close();
      requireAbsent(target);
      Files.deleteIfExists(directory.resolve(DatabaseFile.LOCK));
      Files.deleteIfExists(directory.resolve(PLAN));
      Files.move(directory, partial(target).resolveSibling(target.getFileName()));
    } finally {
      unlock(directory, lock);
    }
  }

  /** Releases everything. What is in the batch is written, so that it can be continued. */
  @Override
  public void close() throws IOException {
    if (state != State.OPEN) {
      state = State.CLOSED;
      return;
    }
    state = State.CLOSED;
    try {
      flush();
    } finally {
      try {
        env.close();
      } finally {
        unlock(directory, lock);
      }
    }
  }
}
