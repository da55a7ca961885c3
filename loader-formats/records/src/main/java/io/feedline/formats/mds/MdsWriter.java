package io.feedline.formats.mds;

import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A writer of an MDS dataset with any columns, for MosaicML's streaming. {@link
 * io.feedline.formats.store.StoreFormat#create} writes datasets of images.
 *
 * <p>A sample has a value for each column. The column's encoding determines the type of the value
 * as in {@link MdsDataset}, with two exceptions: an image is a byte[] of encoded bytes, and an
 * integer may be a Byte, Short, Integer or Long. The samples of a shard are kept in memory until
 * the shard is full.
 */
public final class MdsWriter {

  /** The default of {@link Builder#shardBytes}, as in streaming: 64 MiB. */
  public static final int DEFAULT_SHARD_BYTES = 1 << 26;

  /** The largest size of a shard, since positions in a shard are of type int here. */
  static final int LARGEST_SHARD_BYTES = Integer.MAX_VALUE - 64;

  private MdsWriter() {}

  /**
   * Returns a builder for a dataset.
   *
   * @param directory the directory of the shards and the index; must be absent or empty
   */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  /** Options; see {@link MdsWriter#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path directory;
    Map<String, String> columns = Map.of();

    String compression;

    List<String> hashes = List.of();
    int shardBytes = DEFAULT_SHARD_BYTES;
    List<String> classes = List.of();

    private Builder(Path directory) {
      this.directory = directory;
    }

    /**
     * Sets the encodings of the columns by the columns' names; there must be at least one column.
     * Encodings have streaming's names. Columns are written in the order of their names.
     */
    public Builder columns(Map<String, String> columns) {
      this.columns = new TreeMap<>(columns);
      return this;
    }

    /**
     * Sets the names of the classes, by index; none by default. They are written to {@code
     * classes.json} beside the index, for {@link MdsImages}; streaming ignores this file.
     */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /**
     * Sets how shards are compressed: {@code gz}, {@code zstd}, {@code zstd:7}, ...; not by
     * default.
     */
    public Builder compression(String compression) {
      this.compression = compression;
      return this;
    }

    /** Sets the checksums to write, for example {@code sha1}, {@code sha256}; none by default. */
    public Builder hashes(String... hashes) {
      this.hashes = List.of(hashes).stream().sorted().distinct().toList();
      return this;
    }

    /**
     * Sets the largest size of a shard in bytes, before compression; {@link #DEFAULT_SHARD_BYTES}
     * by default. The limit is 2 GiB less 65 bytes, since a shard is put together in memory. A
     * shard with a single sample may be larger.
     */
    public Builder shardBytes(int shardBytes) {
      this.shardBytes = shardBytes;
      return this;
    }

    void validate() throws IOException {
      if (columns.isEmpty()) {
        throw new IllegalArgumentException("columns must name one column or more, were none");
      }
      if (shardBytes < 1 || shardBytes > LARGEST_SHARD_BYTES) {
        throw new IllegalArgumentException(
            "shardBytes must be from 1 to %d bytes, since a shard is put together in memory, was %d"
                .formatted(LARGEST_SHARD_BYTES, shardBytes));
      }
      columns.values().forEach(MdsEncoding::of);
      if (compression != null) {
        // A missing library is reported now, and not when the first shard is full.
        ShardCompression.of(compression).deflate(List.of());
      }
      for (String hash : hashes) {
        if (Hashes.of(hash) == null) {
          throw new IllegalArgumentException("the JDK has no hash '" + hash + "'");
        }
      }
    }

    /**
     * Begins to write, or continues an interrupted run behind its last whole shard.
     *
     * @return a writer of samples, which the caller closes
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws IllegalStateException if zstd's native library does not load
     * @throws java.nio.file.FileAlreadyExistsException if the directory is not empty
     * @throws IOException if the dataset cannot be written, another writer writes it, or the
     *     interrupted run had other options
     */
    public StoreWriter<Map<String, Object>> open() throws IOException {
      validate();
      Map<String, String> identity = new TreeMap<>();
      identity.put("format", "mds samples");
      identity.put("columns", columns.toString());
      identity.put("compression", compression == null ? "none" : compression);
      identity.put("hashes", String.join(",", hashes));
      identity.put("size-limit", Integer.toString(shardBytes));
      identity.put("classes", String.join("\n", classes));
      return StagedOutput.openFor(
          directory,
          StagedOutput.Kind.DIRECTORY,
          identity,
          false,
          output ->
              new MdsShardWriter<Map<String, Object>>(output, this) {
                @Override
                protected Map<String, Object> stored(Map<String, Object> sample) {
                  return sample;
                }
              });
    }
  }
}
