package io.feedline.formats.parquet;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.parquet.internal.ParquetFormat;
import io.feedline.formats.parquet.internal.ParquetStore;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.samples.ImageColumns;
import io.feedline.formats.store.internal.shards.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

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
 * <p><b>Known limitations.</b> Supported are the compressions SNAPPY, ZSTD, LZ4_RAW, GZIP and none,
 * and the encodings PLAIN, dictionaries, DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY and
 * DELTA_BYTE_ARRAY. Labels are whole numbers, or texts; texts are read when the dataset is opened,
 * and sorted they are the classes. An image whose label is null has no label. Encryption and lists
 * of images are not supported.
 *
 * <p>{@link StoreFormat#named} returns the format by its name {@code parquet}. It opens a {@code
 * .parquet} file, a pattern, or a directory with files of one split. The options {@code
 * image-field}, {@code label-field} (empty for images without labels) and {@code key-field} name
 * columns; the name of a column within a structure is like {@code image.bytes}. It writes no files.
 */
public final class ParquetImages {

  private static final TableFormat FILES = new ParquetFormat();

  private ParquetImages() {}

  /**
   * Returns the images of a file, or of several, with the defaults of {@link #builder(Path)}.
   *
   * @param path a file, a pattern such as {@code train-*.parquet}, or a directory
   * @throws IOException if no file matches, or a file is missing, damaged, or has no such columns
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
    return new Builder(List.of(path), false);
  }

  /**
   * Returns a builder for the images of the given files, in this order, such as the files of a
   * split.
   *
   * @param files one file or more
   */
  public static Builder builder(List<Path> files) {
    return new Builder(List.copyOf(files), true);
  }

  /**
   * The options; see {@link ParquetImages#builder(Path)}. Not thread-safe.
   *
   * <p>By default the image is the column that Hugging Face's description calls an image, or else
   * the only structure with {@code bytes}, or else the only column called {@code image}, {@code
   * img}, {@code jpg}, {@code jpeg}, {@code png} or {@code bytes}. The label is the column that the
   * description calls a class label, or else the column called {@code label}, or else the only
   * column called {@code labels}, {@code class}, {@code cls} or {@code y}; Without such a column
   * images have no labels; a column of another type, such as lists, is refused. The key of a sample
   * is its number, also if a named column of keys has a null.
   */
  public static final class Builder extends ImageStoreBuilder.WithFiles<Builder> {

    /** The files that were given as a list; otherwise the one path by which files are found. */
    private final List<Path> paths;

    private final boolean listed;
    private long cacheBytes = ParquetStore.DEFAULT_CACHE_BYTES;

    private Builder(List<Path> paths, boolean listed) {
      this.paths = paths;
      this.listed = listed;
    }

    /**
     * Sets how much heap memory the kept pages may take, 256 MiB by default. Decompressing pages
     * may take the same amount again. A page larger than the budget is kept until the next page.
     *
     * @param cacheBytes 0 or more
     */
    public Builder cacheBytes(long cacheBytes) {
      this.cacheBytes = cacheBytes;
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      if (cacheBytes < 0) {
        throw new IllegalArgumentException("cacheBytes must be 0 or more, was " + cacheBytes);
      }
      List<Path> files =
          listed
              ? TableFormat.listed(paths, allowMissingShards())
              : FILES.files(paths.get(0), allowMissingShards());
      return ParquetStore.open(
          paths.get(0),
          files,
          new ImageColumns.Wanted(imageOr(null), labelOr(null), keyOr(null)),
          classesOr(null),
          cacheBytes,
          openFiles());
    }
  }
}
