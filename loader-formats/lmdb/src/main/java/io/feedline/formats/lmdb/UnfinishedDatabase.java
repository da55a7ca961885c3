package io.feedline.formats.lmdb;

import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.LmdbException;
import org.lmdbjava.LmdbNativeException;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Txn;

/**
 * A database in Feedline's layout that is being written: values under the keys 0, 1, 2, ... in the
 * directory of a {@link StagedOutput}, and finally the metadata.
 *
 * <h2>Implementation note</h2>
 *
 * <p><b>Metadata last.</b> The metadata are written last, so that an incomplete database does not
 * open as a complete database, even under its partial name. If a run is interrupted after writing
 * the metadata, the next run deletes the metadata.
 *
 * <p><b>Batches.</b> Values are collected in memory, and written in one transaction when a batch is
 * full. If the map is full (MDB_MAP_FULL), the transaction is aborted, the map is doubled, and the
 * batch is written again. A transaction lasts only as long as a write. Its failure loses nothing:
 * the values stay in memory for another attempt, until {@link #close}.
 *
 * <p><b>Interruption.</b> LMDB's transactions are atomic and on the disk when they are committed,
 * so after a crash the database ends with a whole batch, and the number of its keys is the number
 * of the next value. No checkpoints are needed.
 *
 * <p>Not thread-safe.
 */
final class UnfinishedDatabase implements Closeable {

  private static final int BATCH_VALUES = 1024;
  private static final int BATCH_BYTES = 32 << 20;
  private static final long FIRST_MAP_BYTES = 64L << 20;

  // Values of errno, the same on Linux, macOS and in the C runtime of Windows.
  private static final int EPERM = 1;
  private static final int EIO = 5;
  private static final int EACCES = 13;

  /** The free bytes below which a disk counts as full. */
  private static final long MOST_OF_A_FULL_DISK = 1 << 20;

  private final Path directory;
  private final Path data;
  private final Env<ByteBuffer> env;
  private final Dbi<ByteBuffer> dbi;
  private final ByteBuffer key = ByteBuffer.allocateDirect(Long.BYTES + 8);
  private long mapBytes;

  /** The values of the batch, one after the other; {@link #ends} has the end of each value. */
  private final ByteSink batch = new ByteSink();

  private final int[] ends = new int[BATCH_VALUES];
  private int batched;

  private long stored;

  private boolean closed;

  /** Opens or makes data.mdb in a directory; {@link LmdbWriter} has found LMDB's library before. */
  UnfinishedDatabase(Path directory) throws IOException {
    this(directory, FIRST_MAP_BYTES);
  }

  /** Opens or makes a database with an initial size of LMDB's map, which tests choose small. */
  UnfinishedDatabase(Path directory, long firstMapBytes) throws IOException {
    this.directory = directory;
    this.data = directory.resolve(DatabaseFile.DATA);
    long bytes = Files.exists(data) ? Files.size(data) : 0;
    if (bytes > 0) {
      DatabaseFile.of(directory);
      // LMDB itself does not check an existing file.
      try (OpenFile file = OpenFile.of(data)) {
        TreeCheck.run(file, TreeSnapshot.newest(file), true);
      }
    }
    this.mapBytes = Math.max(firstMapBytes, Long.highestOneBit(Math.max(bytes, 1)) * 2);
    try {
      this.env =
          Env.create(new NativeBuffers())
              .setMapSize(mapBytes)
              .open(directory.toFile(), EnvFlags.MDB_NOTLS);
    } catch (LmdbException e) {
      throw failure("cannot be written", e);
    }
    try {
      this.dbi = env.openDbi((byte[]) null);
      takeMetadataOut();
      this.stored = env.stat().entries;
    } catch (LmdbException e) {
      env.close();
      throw failure("cannot be written", e);
    } catch (RuntimeException | Error e) {
      env.close();
      throw e;
    }
  }

  /** Tests whether a data.mdb belongs to an unfinished database. */
  static boolean isAt(Path data) {
    Path directory = data.toAbsolutePath().getParent();
    return directory != null && StagedOutput.isUnfinished(directory);
  }

  /** Deletes the metadata of a run that was interrupted after its last transaction. */
  private void takeMetadataOut() {
    try (Txn<ByteBuffer> txn = env.txnWrite()) {
      if (dbi.delete(txn, key(Metadata.key()))) {
        txn.commit();
      }
    }
  }

  /** Returns the number of values, including the values of an interrupted run. */
  long written() {
    return stored + batched;
  }

  /** Adds a copy of a value; if a batch cannot be written, committed batches stay. */
  void add(ByteBuffer value) throws IOException {
    if (batched > 0
        && (batched == BATCH_VALUES || (long) batch.size() + value.remaining() > BATCH_BYTES)) {
      flush();
    }
    batch.room(value.remaining()).put(value);
    ends[batched++] = batch.size();
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

  private void putBatch(Txn<ByteBuffer> txn) {
    int start = 0;
    for (int i = 0; i < batched; i++) {
      put(txn, key.clear().putLong(stored + i).flip(), batch.array(), start, ends[i] - start);
      start = ends[i];
    }
  }

  /** Writes a value under a new last key, straight into memory that LMDB reserves. */
  private void put(Txn<ByteBuffer> txn, ByteBuffer under, byte[] from, int start, int length) {
    dbi.reserve(txn, under, length, PutFlags.MDB_APPEND).put(from, start, length);
  }

  private ByteBuffer key(byte[] name) {
    return key.clear().put(name).flip();
  }

  /** The writes of a transaction, which may be repeated. */
  private interface Puts {
    void accept(Txn<ByteBuffer> txn);
  }

  private void write(Puts puts) throws IOException {
    while (true) {
      try (Txn<ByteBuffer> txn = env.txnWrite()) {
        puts.accept(txn);
        txn.commit();
        return;
      } catch (Env.MapFullException full) {
        // The map may change only now, after the end of the transaction.
        mapBytes = Math.multiplyExact(mapBytes, 2);
      } catch (LmdbException e) {
        throw failure(
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
      throw failure("cannot be enlarged to a map of %d bytes".formatted(mapBytes), e);
    }
  }

  /**
   * Writes the remaining values, then the metadata with the count, and closes the database, which
   * is then complete. After a failure it can be opened again for another attempt.
   */
  void finish(Metadata metadata) throws IOException {
    flush();
    byte[] json = metadata.withCount(stored).toJson();
    write(txn -> put(txn, key(Metadata.key()), json, 0, json.length));
    closed = true;
    env.close();
    Files.deleteIfExists(directory.resolve(DatabaseFile.LOCK));
  }

  private IOException failure(String what, LmdbException e) {
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
      reason = "the disk is full (" + reason + ")"; // LMDB's error for a page written in part
    }
    return new IOException("%s %s: %s".formatted(data, what, reason), e);
  }

  private static boolean isFull(Path data) {
    try {
      return Files.getFileStore(data).getUsableSpace() < MOST_OF_A_FULL_DISK;
    } catch (IOException unknown) {
      return false;
    }
  }

  /** Writes the values in the batch, so that another run can continue after them. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      flush();
    } finally {
      env.close();
    }
  }
}
