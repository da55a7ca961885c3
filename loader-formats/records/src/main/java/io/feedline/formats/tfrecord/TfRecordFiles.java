package io.feedline.formats.tfrecord;

import io.feedline.data.IterableDataset;
import io.feedline.formats.store.RecordFilesBuilder;
import io.feedline.formats.store.internal.files.Beside;
import io.feedline.formats.store.internal.shards.ChosenShards;
import io.feedline.formats.store.internal.shards.ShardSet;
import io.feedline.internal.Digest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A choice of TFRecord files and of the options for reading them, from which {@link #stream},
 * {@link TfRecordDataset#open} and {@link TfRecordDataset#images} read. Immutable.
 */
public final class TfRecordFiles {

  private final String name;
  private final ChosenShards chosen;
  private final boolean verifyChecksums;
  private final int maxSampleBytes;
  private final boolean keepIndex;
  private final Path indexDirectory;
  private final int openFiles;

  private TfRecordFiles(Builder builder, ChosenShards chosen) {
    this.name = builder.name();
    this.chosen = chosen;
    this.verifyChecksums = builder.verifyChecksums;
    this.maxSampleBytes = (int) builder.maxSampleBytes();
    this.keepIndex = builder.keepIndex();
    this.indexDirectory = builder.indexDirectory;
    this.openFiles = builder.openFiles();
  }

  /**
   * Returns the files of a pattern, with the defaults of {@link #builder(Path)}.
   *
   * @throws IOException if no file matches, or a shard is missing
   */
  public static TfRecordFiles of(Path pattern) throws IOException {
    return builder(pattern).build();
  }

  /**
   * Returns a builder for one file, or for the files that match a pattern, sorted by name. Files
   * that belong to Feedline (indexes, lists of classes, unfinished shards) do not match.
   *
   * @param pattern a file, a path whose last name is a pattern: {@code train-*}, or a directory
   *     with {@code shards.json}
   */
  public static Builder builder(Path pattern) {
    return new Builder(Objects.requireNonNull(pattern, "pattern"), null);
  }

  /**
   * Returns a builder for given files, in this order.
   *
   * @param files one or more
   */
  public static Builder builder(List<Path> files) {
    return new Builder(null, List.copyOf(files));
  }

  /**
   * Returns the records of the files, each file a shard that is read from front to back, as
   * TensorFlow's {@code TFRecordDataset} does. The stream needs no index, and reads compressed
   * files too.
   *
   * <p>A record with damaged data causes an exception in the record's place, and the shard
   * continues behind the record; after a damaged length the shard ends. The dataset is immutable
   * and thread-safe. It keeps only its streams open; who opens a stream closes it.
   */
  public IterableDataset<byte[]> stream() {
    return new TfRecordStream<>(
        this,
        (record, place) -> record,
        "TfRecordStream(" + name + ")",
        "TfRecordStream:" + fingerprint());
  }

  static TfRecordFiles of(ChosenShards chosen) {
    return new TfRecordFiles(new Builder(chosen.path(), null), chosen);
  }

  String name() {
    return name;
  }

  /** Returns the files, in the order in which their records are counted. */
  public List<Path> files() {
    return chosen.shards();
  }

  ChosenShards chosen() {
    return chosen;
  }

  /** Returns whether the checksum of each record's data is verified. */
  public boolean verifyChecksums() {
    return verifyChecksums;
  }

  /** Returns how long a record may be, in bytes. */
  public int maxSampleBytes() {
    return maxSampleBytes;
  }

  /** Returns whether indexes are kept in files. */
  public boolean keepIndex() {
    return keepIndex;
  }

  /** Returns how many idle files stay open. */
  public int openFiles() {
    return openFiles;
  }

  /** Returns a checksum of the files' names, without their directories. */
  String fingerprint() {
    if (chosen.isListed()) {
      return chosen.list().fingerprint("list");
    }
    return files().size()
        + ":"
        + Digest.ofLines(files().stream().map(file -> file.getFileName().toString()));
  }

  Path indexOf(Path shard) {
    // The name is resolved as text, since the directory may be of another file system than the
    // shard.
    return indexDirectory == null
        ? Beside.of(shard, ShardSet.INDEX_SUFFIX)
        : indexDirectory.resolve(shard.getFileName() + ShardSet.INDEX_SUFFIX);
  }

  /**
   * Options; see {@link TfRecordFiles#builder}. Not thread-safe.
   *
   * <p>A record may have 2^31 - 65 bytes at most.
   */
  public static final class Builder extends RecordFilesBuilder<Builder> {
    private final Path pattern;
    private final List<Path> given;
    private boolean verifyChecksums = true;
    private Path indexDirectory;
    private boolean allowMissingShards;

    private Builder(Path pattern, List<Path> given) {
      this.pattern = pattern;
      this.given = given;
    }

    private String name() {
      if (pattern != null) {
        return pattern.toString();
      }
      String first = given.get(0).toString();
      return given.size() == 1 ? first : first + " and " + (given.size() - 1) + " more";
    }

    /**
     * Sets whether the checksum of each record's data is verified; true by default. The checksum of
     * a record's length is always verified. If the checksum of the data is not verified, only the
     * parser of the record can notice damaged data.
     */
    public Builder verifyChecksums(boolean verifyChecksums) {
      this.verifyChecksums = verifyChecksums;
      return this;
    }

    /**
     * Sets the directory where indexes are kept, instead of beside the shards; for read-only
     * datasets. Shards with the same name in different directories need different directories of
     * indexes.
     *
     * @param directory an existing directory
     */
    public Builder indexDirectory(Path directory) {
      this.indexDirectory = Objects.requireNonNull(directory, "directory");
      return this;
    }

    /**
     * Sets whether shards may be missing whose existence other shards' names imply ({@code
     * -00000-of-00007}); false by default, so that an incomplete download is noticed.
     */
    public Builder allowMissingShards(boolean allowMissingShards) {
      this.allowMissingShards = allowMissingShards;
      return this;
    }

    /**
     * Builds the choice: lists the files, or reads {@code shards.json}.
     *
     * @throws IllegalArgumentException if an option has an impossible value, or a file is given
     *     twice
     * @throws IOException if no file matches, or a shard is missing
     */
    public TfRecordFiles build() throws IOException {
      if (given != null && given.isEmpty()) {
        throw new IllegalArgumentException("give one file or more");
      }
      int largest = Integer.MAX_VALUE - 64;
      if (maxSampleBytes() < 1 || maxSampleBytes() > largest) {
        throw new IllegalArgumentException(
            "maxSampleBytes must be from 1 to %d, was %d".formatted(largest, maxSampleBytes()));
      }
      if (openFiles() < 1) {
        throw new IllegalArgumentException("openFiles must be 1 or more, was " + openFiles());
      }
      if (indexDirectory != null && !keepIndex()) {
        throw new IllegalArgumentException(
            "indexDirectory(%s) has no use with keepIndex(false)".formatted(indexDirectory));
      }
      return new TfRecordFiles(this, choose());
    }

    private ChosenShards choose() throws IOException {
      ChosenShards chosen =
          ChosenShards.at(given == null ? List.of(pattern) : given, TfRecordFormat.NAME);
      if (!chosen.isListed() && given == null) {
        chosen = ChosenShards.of(ShardSet.resolve(pattern));
      }
      if (!chosen.isListed() && !allowMissingShards) {
        ShardSet.requireComplete(chosen.shards());
      }
      return chosen;
    }
  }
}
