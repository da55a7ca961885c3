package io.feedline.formats.tfrecord;

import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A writer of any records into TFRecord files, like TensorFlow's {@code TFRecordWriter}. It writes
 * a directory with a number of shards, with shards of a given size, or with one file.
 *
 * <pre>{@code
 * try (StoreWriter<byte[]> writer = TfRecordWriter.builder(Path.of("words")).open()) {
 *   writer.write(Example.builder().text("word", "hello").toBytes());
 *   writer.commit();
 * }
 * }</pre>
 *
 * <p>Shards are called {@code data-00000-of-00007} and so on, in the records' order.
 */
public final class TfRecordWriter {

  /** The default size of a shard: 256 MiB; a thousand such shards are a large dataset. */
  public static final long DEFAULT_SHARD_BYTES = 256L << 20;

  private TfRecordWriter() {}

  /**
   * Returns a builder for a directory of shards.
   *
   * @param directory the directory of the shards; must be absent or empty
   */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  /** Options; see {@link TfRecordWriter#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path directory;
    private String name = TfRecordFileWriter.DEFAULT_NAME;
    private Sharding sharding;

    private Builder(Path directory) {
      this.directory = Objects.requireNonNull(directory, "directory");
    }

    /**
     * Sets the beginning of the shards' names; {@code data} by default.
     *
     * @param base a file's name that does not begin with a dot
     */
    public Builder name(String base) {
      this.name = Objects.requireNonNull(base, "base");
      return this;
    }

    /**
     * Sets the number of shards, each with the same number of records or one less. The order of the
     * records is kept: the first shard has the first records.
     *
     * @param shards from 1 to 99 999
     * @param records the number of records that will be written in all. If fewer records are
     *     written, the last shards are short or empty; if more are written, the last shard contains
     *     them
     * @throws IllegalArgumentException if a number is impossible, or another division was chosen
     */
    public Builder shards(int shards, long records) {
      return with(new Sharding.ByCount(shards, records));
    }

    /**
     * Sets the size of shards in bytes; {@link #DEFAULT_SHARD_BYTES} by default.
     *
     * @param bytes 1 or more. A shard is ended before a record that would make it larger
     * @throws IllegalArgumentException if {@code bytes} is below 1, or another division was chosen
     */
    public Builder shardBytes(long bytes) {
      return with(new Sharding.BySize(bytes));
    }

    /**
     * Puts all records into one file, {@code data.tfrecord}.
     *
     * @throws IllegalArgumentException if another division was chosen
     */
    public Builder oneFile() {
      return with(new Sharding.OneFile());
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

    /**
     * Begins to write, or continues an interrupted run behind its last whole shard.
     *
     * @return a writer of records, which the caller closes; it does not keep the records' arrays
     * @throws IllegalArgumentException if the name is not a valid file name
     * @throws java.nio.file.FileAlreadyExistsException if the directory is not empty
     * @throws IOException if the directory cannot be written, another writer writes it, or the
     *     interrupted run had other options
     */
    public StoreWriter<byte[]> open() throws IOException {
      if (name.isEmpty() || name.startsWith(".") || name.matches(".*[/\\\\\0].*")) {
        throw new IllegalArgumentException(
            "the name must be a file's, and not begin with a dot, was '%s'".formatted(name));
      }
      Sharding chosen = sharding == null ? new Sharding.BySize(DEFAULT_SHARD_BYTES) : sharding;
      Map<String, String> identity = new LinkedHashMap<>();
      identity.put("format", "tfrecord records");
      identity.put("name", name);
      identity.put("shards", chosen.identity());
      if (chosen instanceof Sharding.BySize) {
        TfRecordFileWriter.requireRenaming(directory);
      }
      return StagedOutput.openFor(
          directory,
          StagedOutput.Kind.DIRECTORY,
          identity,
          false,
          output ->
              new TfRecordFileWriter<byte[]>(output, name, chosen) {
                @Override
                protected List<byte[]> record(byte[] sample) {
                  return List.of(sample);
                }
              });
    }
  }
}
