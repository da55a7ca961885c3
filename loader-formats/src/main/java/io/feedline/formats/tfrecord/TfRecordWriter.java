package io.feedline.formats.tfrecord;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/**
 * Writes records into TFRecord files, as TensorFlow's {@code TFRecordWriter} does: one file, a
 * number of shards, or shards of a size.
 *
 * <pre>{@code
 * try (TfRecordWriter writer = TfRecordWriter.builder(Path.of("out/train")).build()) {
 *   writer.write(Example.builder().text("word", "hello").toBytes());
 *   writer.commit();
 * }
 * }</pre>
 *
 * <p>Until {@link #commit}, shards are called {@code train-00000.partial} and so on, which nobody
 * takes for a dataset; then they become {@code train-00000-of-00007}, in their order, so that the
 * set is complete with the last of them. A writer that is opened where another one was interrupted
 * goes on behind the last record that is whole: {@link #written} tells how many there are.
 *
 * <p>Not thread-safe. Whoever opened it closes it; closing twice is allowed.
 */
public final class TfRecordWriter implements AutoCloseable {

  /** The size of a shard by default: 256 MiB, of which a thousand make a large dataset. */
  public static final long DEFAULT_SHARD_BYTES = 256L << 20;

  private final Sharding sharding;
  private State state = State.WRITING;

  /** How many shards are finished, and how many records they have. */
  private int finished;

  private long recordsFinished;

  private PartialShard shard;

  private enum State {
    WRITING,
    /** A commit was interrupted: all that is left is to do it again. */
    COMMITTING,
    COMMITTED,
    CLOSED
  }

  private TfRecordWriter(Sharding sharding) {
    this.sharding = sharding;
  }

  /**
   * Options for writing.
   *
   * @param base the shards' common path: {@code out/train} for {@code out/train-00000-of-00007};
   *     its directory is made if need be
   */
  public static Builder builder(Path base) {
    return new Builder(Objects.requireNonNull(base, "base"));
  }

  private void resume() throws IOException {
    List<Path> whole = sharding.committed();
    if (!whole.isEmpty()) {
      resumeCommit(whole);
      return;
    }
    int partials = sharding.partials();
    for (int i = 0; i < partials - 1; i++) {
      // Its successor was begun when this one was on the disk, so its headers are proof enough.
      long records = records(sharding.partial(i));
      sharding.requireOwn(i, records, recordsFinished);
      recordsFinished += records;
      finished++;
    }
    shard = PartialShard.open(sharding.partial(finished));
    sharding.requireBegun(finished, shard.records(), recordsFinished);
  }

  private void resumeCommit(List<Path> whole) throws IOException {
    int shards = sharding.shardsOf(whole.get(0));
    if (whole.size() == shards) {
      throw new FileAlreadyExistsException(
          whole.get(0).toString(),
          null,
          "the dataset is there already, with %d shards".formatted(shards));
    }
    for (int i = 0; i < shards; i++) {
      Path file = i < whole.size() ? sharding.committed(i, shards) : sharding.partial(i);
      if (!Files.exists(file)) {
        throw new IOException(
            "%s is missing beside %s, so there is nothing to be continued"
                .formatted(file, whole.get(0)));
      }
      recordsFinished += records(file);
    }
    finished = shards;
    state = State.COMMITTING;
  }

  private static long records(Path file) throws IOException {
    RecordScan scan = new RecordScan(file, Files.size(file));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      scan.run(channel);
    }
    if (scan.problem() != null) {
      throw scan.problem();
    }
    return scan.records();
  }

  /** How many records have been written, those of an interrupted run included. */
  public long written() {
    return recordsFinished + (shard == null ? 0 : shard.records());
  }

  /**
   * Adds a record.
   *
   * @param record its data; not kept
   * @throws IOException if it cannot be written, with file, record, offset and reason; the shards
   *     are then as before
   * @throws IllegalStateException if the writer is committed or closed, or continues an interrupted
   *     commit
   */
  public void write(byte[] record) throws IOException {
    requireWriting();
    while (sharding.isFull(finished, shard, written(), record.length)) {
      nextShard();
    }
    shard.write(record);
  }

  private void requireWriting() {
    if (state == State.COMMITTING) {
      throw new IllegalStateException(
          "%s was being committed with %d records when it was interrupted; nothing can be added"
              .formatted(sharding.base(), written()));
    }
    if (state != State.WRITING) {
      throw new IllegalStateException("%s is %s".formatted(sharding.base(), words(state)));
    }
  }

  private static String words(State state) {
    return state == State.CLOSED ? "closed" : "committed already";
  }

  private void nextShard() throws IOException {
    shard.finish();
    recordsFinished += shard.records();
    finished++;
    shard = null;
    shard = PartialShard.open(sharding.partial(finished));
  }

  /**
   * Gives the shards their final names.
   *
   * @throws IOException if that fails; the output is then as after an interruption
   * @throws IllegalStateException if the writer is committed or closed
   */
  public void commit() throws IOException {
    prepareCommit();
    for (int i = 0; i < finished; i++) {
      Path partial = sharding.partial(i);
      if (Files.exists(partial)) {
        Files.move(partial, sharding.committed(i, finished), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    state = State.COMMITTED;
  }

  /** Finishes the shards, so that only their names are left to be changed. */
  void prepareCommit() throws IOException {
    if (state == State.COMMITTED || state == State.CLOSED) {
      throw new IllegalStateException("%s is %s".formatted(sharding.base(), words(state)));
    }
    if (state == State.WRITING) {
      while (finished < sharding.leastShards() - 1) {
        nextShard();
      }
      shard.finish();
      recordsFinished += shard.records();
      finished++;
      shard = null;
      state = State.COMMITTING;
    }
  }

  /** Releases the file. Without {@link #commit} the shards stay unfinished. */
  @Override
  public void close() throws IOException {
    state = State.CLOSED;
    if (shard != null) {
      shard.close();
    }
  }

  /** Options; see {@link TfRecordWriter#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path base;
    private Sharding sharding;

    private Builder(Path base) {
      this.base = base;
    }

    /**
     * As many shards as asked for, each with the same number of records or one less. Their order is
     * kept: the first shard has the first records.
     *
     * @param shards from 1 to 99 999
     * @param records how many will be written in all. Should there be fewer, the last shards are
     *     short or empty; should there be more, the last has them
     * @throws IllegalArgumentException if a number is impossible
     */
    public Builder shards(int shards, long records) {
      return with(new Sharding.ByCount(base, shards, records));
    }

    /**
     * Shards of a size; {@link #DEFAULT_SHARD_BYTES} by default.
     *
     * @param bytes 1 or more. A shard is ended before a record that would make it larger
     * @throws IllegalArgumentException if {@code bytes} is below 1
     */
    public Builder shardBytes(long bytes) {
      return with(new Sharding.BySize(base, bytes));
    }

    /** One file, which is called as the base path is. */
    public Builder oneFile() {
      return with(new Sharding.OneFile(base));
    }

    private Builder with(Sharding chosen) {
      if (sharding != null) {
        throw new IllegalArgumentException(
            "choose one of shards, shardBytes and oneFile, not %s and %s"
                .formatted(sharding, chosen));
      }
      sharding = chosen;
      return this;
    }

    Path base() {
      return base;
    }

    /**
     * Begins to write, or continues what was interrupted.
     *
     * @throws FileAlreadyExistsException if the dataset is there already
     * @throws IOException if a file cannot be made, is being written by another, or is not as these
     *     options would have made it
     */
    public TfRecordWriter build() throws IOException {
      Sharding chosen =
          sharding == null ? new Sharding.BySize(base, DEFAULT_SHARD_BYTES) : sharding;
      Path directory = base.toAbsolutePath().getParent();
      Files.createDirectories(directory);
      TfRecordWriter writer = new TfRecordWriter(chosen);
      try {
        writer.resume();
        return writer;
      } catch (IOException | RuntimeException failed) {
        writer.close();
        throw failed;
      }
    }
  }
}
