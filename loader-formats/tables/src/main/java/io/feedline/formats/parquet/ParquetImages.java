package io.feedline.formats.parquet;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.parquet.internal.ParquetStore;
import io.feedline.formats.parquet.internal.ParquetTables;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ImageColumns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A reader of encoded images and their labels in Parquet files, as Hugging Face's datasets writes
 * them: a column {@code image}, a structure of {@code bytes} and {@code path}, and a column {@code
 * label}.
 *
 * <pre>{@code
 * try (ImageDataset train = ParquetImages.of(Path.of("data/train-*.parquet"));
 *     DataLoader<LabeledImage> loader =
 *         DataLoader.builder(train)
 *             .sampler(ShardedSampler.of(train.store().shardSizes(), 8, seed))
 *             .build()) { ... }
 * }</pre>
 *
 * <p><b>Principle.</b> Only the columns of images and labels are read, page by page; a page is
 * decompressed once and kept, up to a number of bytes. A page has some hundred images, so a wholly
 * random order reads a hundred times as much as it uses: take an order that reads row groups
 * together, as above, whose window fits into the cache. The names of the classes come from Hugging
 * Face's description in the footer.
 *
 * <p><b>Known limitations.</b> Compressions SNAPPY, ZSTD, LZ4_RAW, GZIP and none; encodings PLAIN,
 * dictionaries, DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY. Labels are whole
 * numbers, or texts, which sorted are the classes and are read at the beginning; a null is an image
 * without one. No encryption, and no lists of images.
 *
 * <p>This class is also the format's entry in the registry of {@link StoreFormat}s, {@code
 * parquet}. It opens a {@code .parquet}, a pattern, or a directory with files of one split; options
 * {@code image-field}, {@code label-field} (empty for images without labels) and {@code key-field}
 * name columns, a column within a structure by {@code image.bytes}. It writes none.
 */
public final class ParquetImages implements StoreFormat {

  static final String NAME = "parquet";

  private static final ParquetTables TABLES = new ParquetTables();

  /** Creates the registry's entry; called by {@link java.util.ServiceLoader}, not by users. */
  public ParquetImages() {}

  /**
   * Returns the images of a file, or of several, with the defaults of {@link #builder}.
   *
   * @param path a file, a pattern such as {@code train-*.parquet}, or a directory
   * @throws IOException if no file matches, one is missing or damaged, or has no such columns
   */
  public static ImageDataset of(Path path) throws IOException {
    return builder(path).build();
  }

  /**
   * Returns a builder for the images of a file, or of several.
   *
   * @param path a file, a pattern such as {@code train-*.parquet}, or a directory
   */
  public static Builder builder(Path path) {
    return new Builder(path);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    return TABLES.recognizes(path);
  }

  @Override
  public Set<String> openOptions() {
    return Set.of(StoreOptions.IMAGE_FIELD, StoreOptions.LABEL_FIELD, StoreOptions.KEY_FIELD);
  }

  @Override
  public ImageStore open(Path path, StoreOptions options) throws IOException {
    options.requireKnown(NAME, openOptions());
    return builder(path).fields(options).store();
  }

  @Override
  public boolean isWritable() {
    return false;
  }

  /**
   * Options; see {@link ParquetImages#builder}. Not thread-safe.
   *
   * <p>By default the image is the column that Hugging Face's description calls an image, the only
   * structure with {@code bytes}, or the only column called {@code image}, {@code img}, {@code
   * jpg}, {@code jpeg}, {@code png} or {@code bytes}; the label is the one that the description
   * calls a class label, the one called {@code label}, or the only one called {@code labels},
   * {@code class}, {@code cls} or {@code y}; without such a column images are unlabeled; one of
   * another type, such as lists, is refused. Keys are the samples' numbers, as is that of a null.
   */
  public static final class Builder extends ImageStoreBuilder.WithKeys<Builder> {

    /** Eight row groups of a hundred images of 300 KB. */
    private static final long DEFAULT_CACHE_BYTES = 256L << 20;

    private final Path path;
    private boolean allowMissingShards;
    private long cacheBytes = DEFAULT_CACHE_BYTES;
    private int openFiles = OpenFiles.DEFAULT_LIMIT;

    private Builder(Path path) {
      this.path = Objects.requireNonNull(path, "path");
    }

    /**
     * Sets whether files may be missing whose names count them, {@code train-00003-of-00005}; false
     * by default.
     */
    public Builder allowMissingShards(boolean allowed) {
      this.allowMissingShards = allowed;
      return this;
    }

    /**
     * Sets how much heap memory the pages take that are kept, 256 MiB by default. As much again is
     * taken while pages are decompressed. A page that is larger by itself is kept until the next
     * one comes.
     *
     * @param cacheBytes 0 or more
     */
    public Builder cacheBytes(long cacheBytes) {
      this.cacheBytes = cacheBytes;
      return this;
    }

    /** Sets how many files stay open while they are not read; 128 by default. */
    public Builder openFiles(int openFiles) {
      this.openFiles = openFiles;
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      if (cacheBytes < 0) {
        throw new IllegalArgumentException("cacheBytes must be 0 or more, was " + cacheBytes);
      }
      List<Path> files = TABLES.files(path, allowMissingShards);
      return ParquetStore.open(
          path,
          files,
          new ImageColumns.Wanted(imageOr(null), labelOr(null), keyOr(null)),
          classesOr(null),
          cacheBytes,
          openFiles);
    }
  }
}
