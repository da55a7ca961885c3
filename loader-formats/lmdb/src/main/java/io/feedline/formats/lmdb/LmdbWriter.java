package io.feedline.formats.lmdb;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.RequiredLibrary;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Writer of samples into a database in Feedline's layout: a directory with data.mdb, and nothing
 * else.
 *
 * <p>Samples are on the disk after each batch of at most 1024 samples or 32 MiB; an interrupted run
 * continues after the last batch. LMDB's memory map grows as needed.
 */
abstract class LmdbWriter<S> extends StagedWriter<S> {

  private static final RequiredLibrary LMDB =
      new RequiredLibrary(
          "LMDB",
          "io.feedline:loader-lmdb",
          "org.lmdbjava.ByteArrayProxy",
          "com.kenai.jffi.MemoryIO");

  /** The database; null if an interrupted run had written everything. */
  private final UnfinishedDatabase database;

  private final ByteSink value = new ByteSink();

  LmdbWriter(StagedOutput output) throws IOException {
    super(output);
    this.database = output.isComplete() ? null : new UnfinishedDatabase(output.path());
  }

  /** Begins a database, or continues a run of the same identity; fails without LMDB's library. */
  static <W> W open(
      Path directory, Map<String, String> identity, boolean restart, StagedOutput.Opener<W> opener)
      throws IOException {
    LocalFiles.require(
        directory,
        "a database is written to a local directory only: its pages are changed again and again",
        "Write to a local path and copy it, or take another format (webdataset, mds, tfrecord,"
            + " recordio)");
    LMDB.require();
    return StagedOutput.openFor(directory, StagedOutput.Kind.DIRECTORY, identity, restart, opener);
  }

  /**
   * Writes the value of a sample into {@code out}, which is empty.
   *
   * @throws FormatException if a database cannot contain the sample
   * @throws IllegalArgumentException if the value has 2 GiB or more
   */
  protected abstract void put(S sample, ByteSink out) throws IOException;

  protected abstract Metadata metadata();

  @Override
  protected final long added() {
    return database.written();
  }

  /** Returns false: the database itself counts the samples. */
  @Override
  protected final boolean countsInJournal() {
    return false;
  }

  @Override
  protected final void add(S sample) throws IOException {
    value.clear();
    put(sample, value);
    database.add(value.written());
  }

  @Override
  protected final void finish() throws IOException {
    database.finish(metadata());
  }

  @Override
  protected final void release() throws IOException {
    if (database != null) {
      database.close();
    }
  }
}
