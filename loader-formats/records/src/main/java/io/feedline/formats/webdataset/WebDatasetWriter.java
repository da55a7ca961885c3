package io.feedline.formats.webdataset;

import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A writer of any samples into WebDataset shards. {@link
 * io.feedline.formats.store.StoreFormat#create} writes datasets of images.
 *
 * <pre>{@code
 * try (StoreWriter<WebSample> writer = WebDatasetWriter.builder(out, "train-%06d.tar").open()) {
 *   writer.write(new WebSample("0001", Map.of("txt", text, "npy", array)));
 *   writer.commit();
 * }
 * }</pre>
 *
 * <p>A sample needs at least one field. Its key has no dot after the last slash, and differs from
 * the key of the sample before. Suffixes are in lower case, without a leading dot. Fields are
 * sorted by their suffix. The shards' bytes depend on the samples and the options alone, so the
 * same input gives the same files, even if the run was interrupted.
 */
public final class WebDatasetWriter {

  /** The default of {@link Builder#maxSamples}, as in Python's webdataset: 100 000. */
  public static final long DEFAULT_MAX_SAMPLES = 100_000;

  /** The default of {@link Builder#shardBytes}, as in Python's webdataset: 3 GB (10^9 bytes). */
  public static final long DEFAULT_SHARD_BYTES = 3_000_000_000L;

  private WebDatasetWriter() {}

  /**
   * Returns a builder for shards in a directory.
   *
   * @param directory the directory of the shards; must be absent or empty
   * @param pattern the shards' names, with one {@code %d}, for example {@code train-%06d.tar}
   * @throws IllegalArgumentException if the pattern does not give each shard a name of its own
   */
  public static Builder builder(Path directory, String pattern) {
    return new Builder(new ShardNames(directory, pattern));
  }

  /** Options; see {@link WebDatasetWriter#builder}. Not thread-safe. */
  public static final class Builder {
    final ShardNames names;
    long maxSamples = DEFAULT_MAX_SAMPLES;
    long shardBytes = DEFAULT_SHARD_BYTES;
    UnaryOperator<String> keys = UnaryOperator.identity();
    List<String> classes = List.of();

    private Builder(ShardNames names) {
      this.names = names;
    }

    /**
     * Sets how many samples a shard has at most, 1 or more; {@link #DEFAULT_MAX_SAMPLES} by
     * default.
     */
    public Builder maxSamples(long maxSamples) {
      this.maxSamples = maxSamples;
      return this;
    }

    /**
     * Sets the largest size of a shard in bytes, 1 or more; {@link #DEFAULT_SHARD_BYTES} by
     * default. A shard with a single sample may be larger.
     */
    public Builder shardBytes(long shardBytes) {
      this.shardBytes = shardBytes;
      return this;
    }

    /** Sets how keys are changed before they are written; unchanged by default. */
    public Builder keys(UnaryOperator<String> keys) {
      this.keys = Objects.requireNonNull(keys, "keys");
      return this;
    }

    /**
     * Sets the names of the classes, by index: written as {@code classes.json} beside the shards.
     */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /**
     * Begins to write, or continues an interrupted run behind its last whole shard.
     *
     * @return a writer of samples, which the caller closes; it does not keep the samples' arrays,
     *     and ignores {@link WebSample#shard}
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws java.nio.file.FileAlreadyExistsException if the directory is not empty
     * @throws IOException if the directory cannot be written, another writer writes it, or the
     *     interrupted run had other options
     */
    public StoreWriter<WebSample> open() throws IOException {
      if (maxSamples < 1 || shardBytes < 1) {
        throw new IllegalArgumentException(
            "maxSamples and shardBytes must be 1 or more, were %d and %d"
                .formatted(maxSamples, shardBytes));
      }
      Map<String, String> identity = new TreeMap<>();
      identity.put("format", "webdataset samples");
      identity.put("pattern", names.pattern());
      identity.put("max-samples", Long.toString(maxSamples));
      identity.put("max-bytes", Long.toString(shardBytes));
      identity.put("classes", String.join("\n", classes));
      return StagedOutput.openFor(
          names.directory(),
          StagedOutput.Kind.DIRECTORY,
          identity,
          false,
          output ->
              new WebDatasetShardWriter<WebSample>(output, this) {
                @Override
                protected WebSample stored(WebSample sample) {
                  return sample;
                }
              });
    }
  }
}
