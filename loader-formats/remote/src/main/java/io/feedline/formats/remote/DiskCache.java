package io.feedline.formats.remote;

import io.feedline.formats.store.internal.files.LocalFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The options of a cache of remote data on a local disk: its directory, its limit, and which data
 * are kept.
 *
 * <pre>{@code
 * DiskCache cache = DiskCache.at(Path.of("/scratch/cache")).cacheBytes(200L << 30).build();
 * Path train = cache.inFrontOf(Path.of(URI.create("s3://bucket/train")));
 * }</pre>
 *
 * <p>The unit of the cache is a line: a range of an object that begins at a multiple of {@link
 * Builder#lineBytes}. A shorter object is a single line. The bytes read are the same with a cache
 * and without.
 *
 * <p>A changed object has another version and is read anew. An object without a version (a strong
 * ETag) is not kept, since old bytes could not be distinguished from new bytes.
 *
 * <p>The directory never takes more than the limit: bytes are reserved before they are fetched, and
 * files count by their blocks in the file system, including unfinished files and bookkeeping.
 *
 * <p>All processes of the machine that name the directory share it, for example the ranks of a
 * training. Its content stays valid however a process ends. Reading a line verifies its checksums;
 * a damaged line is read from the remote server again. A full disk or a directory that cannot be
 * written makes reading slower and logs a warning, but never ends the run.
 *
 * <p>A cache deletes only files that caches have made: the directory must be new or empty at first,
 * and contains the file {@code feedline-cache} afterwards. It may be deleted while no process uses
 * it. The files have the mode 0600, and a directory that the cache makes has the mode 0700.
 *
 * <p>Immutable and thread-safe.
 */
public final class DiskCache {

  /** The default of {@link Builder#lineBytes}: 1 MiB. */
  public static final int DEFAULT_LINE_BYTES = 1 << 20;

  /** The smallest length of a line, in bytes: the length of a block, which has a checksum. */
  private static final int LEAST_LINE_BYTES = 1 << 16;

  private static final int MOST_LINE_BYTES = 1 << 28;

  /** The choice of the lines (parts of objects) that a full cache deletes for a new line. */
  public enum Eviction {
    /**
     * Deletes the lines that the loader's order of samples needs last, but only if they are needed
     * later than the new line, and if the exchange of lines costs no more fetched bytes in all.
     * Otherwise the new line is not kept. For objects that are read whole, no other choice has more
     * hits. While the order is unknown, the choice is {@link #NONE}.
     */
    FARTHEST_NEXT_USE,

    /** Deletes no lines. Best for epochs in an unknown order: an epoch reads each sample once. */
    NONE,

    /**
     * Deletes the least recently used lines; for reads that are soon repeated. Epochs larger than
     * the cache have hardly any hits with this choice. A full cache deletes lines only while at
     * most a tenth more bytes are fetched than requested; otherwise only the requested part of a
     * line is read, and not kept.
     */
    LEAST_RECENTLY_USED
  }

  private final Path directory;
  private final long cacheBytes;
  private final int lineBytes;
  private final double admitted;
  private final Eviction eviction;

  private DiskCache(Builder builder) {
    this.directory = builder.directory;
    this.cacheBytes = builder.cacheBytes;
    this.lineBytes = builder.lineBytes;
    this.admitted = builder.admitted;
    this.eviction = builder.eviction;
  }

  /**
   * Returns a builder of a cache in a directory.
   *
   * @param directory a directory of the default file system: missing, empty, or already a cache
   */
  public static Builder at(Path directory) {
    return new Builder(directory);
  }

  /** Returns the directory of the cache. */
  public Path directory() {
    return directory;
  }

  /** Returns the limit of {@link Builder#cacheBytes}, in bytes. */
  public long cacheBytes() {
    return cacheBytes;
  }

  /** Returns the length of a line, in bytes. */
  public int lineBytes() {
    return lineBytes;
  }

  /** Returns the fraction of all lines that may be kept, above 0 and up to 1. */
  public double admitted() {
    return admitted;
  }

  /** Returns the choice of the lines that a full cache deletes. */
  public Eviction eviction() {
    return eviction;
  }

  /**
   * Returns a path by which the objects at a remote path are read through this cache:
   *
   * <pre>{@code
   * Path train = cache.inFrontOf(Path.of(URI.create("s3://bucket/train")));
   * ImageDataset images = ImageDataset.open(train);
   * }</pre>
   *
   * <p>Each call makes a file system. The caller closes the file system, {@code
   * train.getFileSystem().close()}, when no dataset reads from it anymore, and before the file
   * system of {@code remote}. A program that reads until it ends need not close it.
   *
   * @param remote a path of a {@link RemoteFileSystem}
   * @throws IllegalArgumentException if the path is not of a remote file system, or the cache's
   *     directory contains files that no cache has made
   */
  public Path inFrontOf(Path remote) {
    FileSystemProvider provider = remote.getFileSystem().provider();
    if (!RemoteFileSystem.isMadeBy(provider.getClass())) {
      throw new IllegalArgumentException(
          "a cache is for data that is not on this machine, such as s3://bucket/train, was %s"
              .formatted(remote));
    }
    try {
      FileSystem cached = provider.newFileSystem(remote, Map.of("cache", this));
      return cached.getPath(remote.toAbsolutePath().toString());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Returns a text such as {@code DiskCache[/scratch/cache, at most 2147483648 bytes]}. */
  @Override
  public String toString() {
    return "DiskCache[%s, at most %d bytes]".formatted(directory, cacheBytes);
  }

  /** The options of a cache. Not thread-safe. */
  public static final class Builder {
    private final Path directory;
    private long cacheBytes = -1;
    private int lineBytes = DEFAULT_LINE_BYTES;
    private double admitted = 1;
    private Eviction eviction = Eviction.FARTHEST_NEXT_USE;

    private Builder(Path directory) {
      this.directory = Objects.requireNonNull(directory, "directory");
    }

    /** Sets how many bytes the cache may take on the disk, 0 or more; there is no default. */
    public Builder cacheBytes(long bytes) {
      cacheBytes = bytes;
      return this;
    }

    /**
     * Sets the length of a line: how many bytes of a large object are fetched and kept at once; by
     * default {@link #DEFAULT_LINE_BYTES}. Lines that were kept with another length are not found.
     *
     * @param bytes a multiple of 64 KiB, up to 256 MiB
     */
    public Builder lineBytes(int bytes) {
      lineBytes = bytes;
      return this;
    }

    /**
     * Sets the fraction of all lines that may be kept, above 0 and up to 1; by default 1. The lines
     * are chosen at random, and all processes choose the same lines: with {@code admit(0.2)} a
     * cache for a fifth of the data is never full. With {@link Eviction#NONE}, {@link
     * #cacheBytes(long)} alone has the same effect.
     */
    public Builder admit(double fraction) {
      admitted = fraction;
      return this;
    }

    /**
     * Sets the choice of the lines (parts of objects) that a full cache deletes; by default {@link
     * Eviction#FARTHEST_NEXT_USE}.
     */
    public Builder eviction(Eviction newEviction) {
      eviction = Objects.requireNonNull(newEviction, "eviction");
      return this;
    }

    /** Builds the options; {@link DiskCache#inFrontOf} opens the cache. */
    public DiskCache build() {
      if (!LocalFiles.include(directory)) {
        throw new IllegalArgumentException(
            "a cache needs locks and atomic moves, which only local files have, was %s. Give a directory of a local disk"
                .formatted(directory.toUri()));
      }
      if (cacheBytes < 0) {
        throw new IllegalArgumentException(
            cacheBytes == -1
                ? "cacheBytes must be set: how much of the disk the cache in %s may take"
                    .formatted(directory)
                : "cacheBytes must be 0 or more, was " + cacheBytes);
      }
      if (lineBytes < LEAST_LINE_BYTES
          || lineBytes > MOST_LINE_BYTES
          || lineBytes % LEAST_LINE_BYTES != 0) {
        throw new IllegalArgumentException(
            "lineBytes must be a multiple of %d, up to %d, was %d"
                .formatted(LEAST_LINE_BYTES, MOST_LINE_BYTES, lineBytes));
      }
      if (!(admitted > 0 && admitted <= 1)) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "admit must be above 0 and at most 1, was %s", admitted));
      }
      return new DiskCache(this);
    }
  }
}
